import { deepEqual } from 'node:assert/strict'
import { faultsOf, text } from './manifest-samples.ts'

const layout = {
  key: 'layout',
  title: { default: 'Layout' },
  schema: { type: 'object', required: ['columns'], properties: { columns: { type: 'integer', minimum: 1 } } },
  default: { columns: 3 },
}

/** What is wrong with the preference above, changed; and the faults that it has. */
const wrong: readonly (readonly [what: string, changes: object, ...faults: string[]])[] = [
  ['a default that does not fit', { default: { columns: 0 } }, 'preferences.0.default default'],
  ['a default that is too long', { schema: {}, default: 'x'.repeat(4_095) }, 'preferences.0.default default'],
  ['no default', { default: undefined }, 'preferences.0.default required'],
  ['no title', { title: undefined }, 'preferences.0.title required'],
  ['a key with dots', { key: 'a.b' }, 'preferences.0.key pattern'],
  ['a field of its own', { scope: 'tenant' }, 'preferences.0.scope additionalProperties'],
  ['a pattern', { schema: { type: 'string', pattern: '(a+)+$' } }, 'preferences.0.schema.pattern keyword'],
  ['a format', { schema: { type: 'string', format: 'uri' } }, 'preferences.0.schema.format keyword'],
  ['a reference', { schema: { $ref: '#' } }, 'preferences.0.schema.$ref keyword'],
  [
    'another draft',
    { schema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
    'preferences.0.schema.$schema keyword',
  ],
  ['a schema that is none', { schema: { type: 'colour' } }, 'preferences.0.schema schema'],
]

describe('the preferences of a manifest', () => {
  it('are taken with a schema of any JSON value and a default that fits it', () => {
    const mode = { key: 'mode', title: { default: 'Mode' }, schema: { enum: ['a', null] }, default: null }
    deepEqual(faultsOf(text({ preferences: [layout, mode] })), [])
  })

  for (const [what, changes, ...faults] of wrong) {
    it(`are refused with ${what}`, () =>
      deepEqual(faultsOf(text({ preferences: [{ ...layout, ...changes }] })), faults))
  }

  it('are refused with a key that stands twice', () => {
    deepEqual(faultsOf(text({ preferences: [layout, layout] })), ['preferences.1.key unique'])
  })
})
