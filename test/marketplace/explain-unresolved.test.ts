import { equal } from 'node:assert/strict'
import { explainUnresolved } from '../../marketplace/pack/explain-unresolved.ts'

describe('a module that cannot be bundled', () => {
  it('is told with who wants it, and what to take instead', () => {
    equal(
      explainUnresolved('Could not resolve "stream"', '../x/node_modules/papaparse/papaparse.js'),
      'The package "papaparse" needs "stream" of Node, which the sandbox does not have: there are no streams: work on whole texts or in pieces of your own. Use csv-parse/browser/esm/sync instead.',
    )
    equal(
      explainUnresolved('Could not resolve "node:fs/promises"', 'src/index.ts'),
      'Your source needs "node:fs/promises" of Node, which the sandbox does not have: keep files with ctx.storage or ctx.attachments.',
    )
    equal(
      explainUnresolved('Could not resolve "@scope/thing/part"', 'node_modules/@a/b/index.js'),
      'The package "@a/b" imports "@scope/thing/part", which is not installed: npm install @scope/thing.',
    )
    equal(
      explainUnresolved('Could not resolve "string_decoder"', 'node_modules/iconv-lite/encodings/internal.js'),
      'The package "iconv-lite" needs "string_decoder" of Node, which the sandbox does not have: the sandbox has TextDecoder; npm install string_decoder buffer.',
    )
    equal(explainUnresolved('Could not resolve "./lost.ts"', 'src/index.ts'), undefined)
    equal(explainUnresolved('Unexpected "}"', 'src/index.ts'), undefined)
  })
})
