import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A declaration in capitals; what is taken out of an object keeps the name that it has there. */
const inCapitals = /\b(?:const|let|var) ([A-Z][A-Z0-9_]+)\b/g

describe('constants', () => {
  // The linter has no rule for it.
  it('are named as other variables are', () => {
    const root = path.join(import.meta.dirname, '..', '..')
    const files = globSync('{kernel,core-plugins,sandbox,marketplace,test}/**/*.{ts,js,vue}', { cwd: root })
    const kept = files.filter((file) => !/\/dist\/|\/sdk\/web\/|^test\/wpt\//.test(file))
    assert.ok(kept.length > 4000, String(kept.length))
    const wrong = kept.flatMap((file) =>
      Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(inCapitals), ([, name]) => `${file}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })
})
