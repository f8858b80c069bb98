import type { PreferenceDeclaration } from '../preferences/contract.ts'
import { texts } from './texts/texts.ts'

/** What a reader keeps of lists may be larger than a choice, as bytes of JSON. */
const mostBytes = 16_384
const columns = { type: 'array', maxItems: 40, items: { type: 'string', maxLength: 60 } } as const

const widths = {
  type: 'object',
  maxProperties: 40,
  additionalProperties: { type: 'integer', minimum: 48, maximum: 1200 },
} as const
const arranged = {
  type: 'object',
  additionalProperties: false,
  required: ['hidden', 'order'],
  properties: { hidden: columns, order: columns },
} as const

/** What the console keeps of a user. */
export const consolePreferences: readonly PreferenceDeclaration[] = [
  {
    key: 'console.getting_started',
    name: texts.of('preference.getting_started'),
    schema: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: { dismissed: { type: 'boolean' }, seen: { type: 'boolean' } },
    },
    default: null,
  },
  {
    key: 'console.tables',
    name: texts.of('preference.tables'),
    schema: {
      type: 'object',
      maxProperties: 60,
      additionalProperties: { ...arranged, properties: { ...arranged.properties, widths } },
    },
    mostBytes,
    default: {},
  },
  {
    key: 'console.views',
    name: texts.of('preference.views'),
    schema: {
      type: 'object',
      maxProperties: 50,
      additionalProperties: {
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'query'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 60 },
            query: { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 200 } },
          },
        },
      },
    },
    mostBytes,
    default: {},
  },
  {
    key: 'console.dashboard',
    name: texts.of('preference.dashboard'),
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { admin: arranged, tenant: arranged },
    },
    mostBytes,
    default: {},
  },
  {
    key: 'console.recent',
    name: texts.of('preference.recent'),
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['pages'],
      properties: {
        pages: {
          type: 'array',
          maxItems: 20,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['path', 'title'],
            properties: {
              path: { type: 'string', maxLength: 300, pattern: '^/(?![/\\\\])' },
              title: { type: 'string', minLength: 1, maxLength: 200 },
            },
          },
        },
      },
    },
    mostBytes,
    default: { pages: [] },
  },
  {
    key: 'console.open_pages',
    name: texts.of('preference.open_pages'),
    schema: { type: 'boolean' },
    default: false,
  },
  {
    key: 'console.shortcuts',
    name: texts.of('preference.shortcuts'),
    schema: { type: 'boolean' },
    default: true,
  },
]
