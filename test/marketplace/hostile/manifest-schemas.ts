import { asking, type Changes } from '../../sandbox/manifest-samples.ts'
import { each, many, packagesOf, type Values } from './values.ts'

const toolOf = (changes: Changes = {}): Changes => ({
  ...{ name: 'a', description: { default: 'A' }, input: { type: 'object' }, handler: 'a' },
  ...changes,
})
const tools = (aiTools: readonly Changes[]): Changes => asking('ai:tool', { provides: { aiTools } })
const member = (schema: unknown): Changes => tools([toolOf({ input: { type: 'object', properties: { a: schema } } })])

const schemas: readonly unknown[] = [
  ...[null, true, 1, 'string', [], { type: 'string' }, { type: 'toString' }, { $ref: '#' }, {}],
  ...[
    ...[
      { $ref: 'https://evil.test/a.json' },
      { $id: 'a' },
      { $defs: { a: {} } },
      { patternProperties: { '(a+)+$': {} } },
    ],
    ...[
      { $schema: 'https://evil.test/schema' },
      { required: 'a' },
      { properties: [] },
      { dependentSchemas: {} },
      { if: {} },
    ],
    ...[
      { unevaluatedProperties: false },
      { $dynamicRef: '#a' },
      { $anchor: 'a' },
      { propertyNames: {} },
      { constructor: 1 },
    ],
  ].map((more) => ({ type: 'object', ...more })),
]
const members: readonly unknown[] = [
  ...[{ pattern: '^(a+)+$' }, { pattern: '(' }, { pattern: '^(a?){30}b$' }, { format: 'regex' }, { format: 1 }],
  ...[
    { pattern: '('.repeat(200_000) },
    { pattern: '[a-z]{1,1000}'.repeat(10_000) },
    { pattern: '(?:a|aa)'.repeat(9_000) },
  ],
  ...[{ type: 'array', uniqueItems: true }, { type: 'array', contains: {} }, { multipleOf: 0 }, { minimum: 'a' }],
  ...[{ enum: [] }, { enum: 'a' }, { anyOf: [] }, { anyOf: {} }, { not: 1 }, { minLength: -1 }, { maxLength: 1.5 }],
  ...[{ type: ['string', 'string'] }, { type: null }, { type: 'nothing' }, { 'x-secret': true }, null, 'string', 1],
  ...[{ enum: many(1_001, String) }, { anyOf: many(600, () => ({})) }],
  { type: 'array', items: { anyOf: many(300, () => ({})) } },
]
const preferences: readonly (readonly [schema: unknown, value: unknown])[] = [
  ...([
    [{ type: 'string' }, 1],
    [{ type: 'nothing' }, 1],
    [{ $ref: '#' }, 1],
    [{ pattern: 'a' }, 'a'],
  ] as const),
  ...([
    [null, 1],
    [true, 1],
    [{ type: 'string' }, 'a'.repeat(5_000)],
    [{ not: {} }, 1],
  ] as const),
]

const values: Values = {
  ...each('the schema of a tool', schemas, (input) => tools([toolOf({ input })])),
  ...each('the answer of a tool', schemas.slice(1, 4), (output) => tools([toolOf({ output })])),
  ...each('the member of a tool', members, member),
  ...each('the name of a tool', ['', 'A', 'a-b', '__proto__', 'a'.repeat(65)], (name) => tools([toolOf({ name })])),
  ...each<unknown>('the effect of a tool', ['', 'none', 'READ', null], (effect) => tools([toolOf({ effect })])),
  ...each('the preference', preferences, ([schema, value]) => ({
    preferences: [{ key: 'a', title: { default: 'A' }, schema, default: value }],
  })),
  'two tools of one name': tools([toolOf(), toolOf()]),
  '51 tools': tools(many(51, (index) => toolOf({ name: `a${index}` }))),
  '50 tools of 95 parts each': tools(
    many(50, (index) =>
      toolOf({
        name: `a${index}`,
        input: {
          type: 'object',
          properties: Object.fromEntries(many(95, (part) => [`p${part}`, { type: 'string' }])),
          unknown: true,
        },
      }),
    ),
  ),
  '8 tools of 490 parts each, and one fault': {
    ...tools(
      many(8, (index) =>
        toolOf({
          name: `a${index}`,
          input: {
            type: 'object',
            properties: Object.fromEntries(many(490, (part) => [`p${part}`, { minLength: 1 }])),
          },
        }),
      ),
    ),
    homepage: 'https://[',
  },
}

/** Packages whose schemas are none, or cost more than an answer is worth. */
export const manifestSchemas = packagesOf(values)
