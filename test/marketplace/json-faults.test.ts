import { deepEqual, equal } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findJsonFault } from '../../marketplace/inspect/find-json-fault.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

describe('where a text stops being JSON', () => {
  const faults: readonly (readonly [text: string, line: number, column: number, expected: string, found: string])[] = [
    ['', 1, 1, 'a value', 'the end'],
    ['{', 1, 2, "a name in double quotes or '}'", 'the end'],
    ['{\n  "a": 1,\n}', 3, 1, 'a name in double quotes', "'}'"],
    ['{\n  "a" 1\n}', 2, 7, "':' and a value", "'1'"],
    ['[1,\n 2 3]', 2, 4, "',' or ']'", "'3'"],
    ['[1,]', 1, 4, 'a value', "']'"],
    ['{"a": 01}', 1, 7, 'a value', "'0'"],
    ["{'a': 1}", 1, 2, "a name in double quotes or '}'", "'''"],
    ['{"a": undefined}', 1, 7, 'a value', "'undefined'"],
    ['{"a": 1}\n// more', 2, 1, 'nothing more', "'/'"],
    ['{"a": "1\n"}', 1, 7, 'a text that ends on its line, with \\ before " and \\', `'"'`],
  ]
  for (const [text, line, column, expected, found] of faults)
    it(`is told of ${JSON.stringify(text)}`, () => {
      deepEqual(findJsonFault(text), { line, column, expected, found })
    })

  it('is told of a folder that is named by a dot as of its manifest', async () => {
    await using scratch = await makeScratch()
    await writeFile(join(scratch.path, 'manifest.json'), '{\n  "name": acme\n}\n')
    const { exitCode, stdout } = await stoa(scratch.path, 'validate', '.')
    equal(exitCode, 1)
    deepEqual(stdout.split('\n'), [
      'manifest.json is not valid.',
      "manifest.json:2 error manifest_syntax: This is no JSON: column 11 has 'acme', and should have a value.",
      '',
    ])
  })

  it('is nowhere where JSON.parse takes it, and somewhere where it does not', () => {
    const whole = '{"a": [1, -2.5e+3, true, null, "\\u00e9\\n\u007f", {}, []], "": {"b": false}}'
    equal(findJsonFault(whole), undefined)
    for (let at = 0; at < whole.length; at++)
      for (const text of [
        whole.slice(0, at),
        whole.slice(0, at) + whole.slice(at + 1),
        `${whole.slice(0, at)},${whole.slice(at)}`,
      ])
        equal(findJsonFault(text) === undefined, isJson(text), text)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
