import { objectOf } from '#kernel/schemas'

const key = { type: 'string', minLength: 1, maxLength: 260 } as const
const keys = { type: 'array', items: { type: 'string' } } as const

/** Which preferences a reader wants, and whether with what a form for them has to know. */
export const preferenceQuery = {
  type: 'object',
  properties: {
    keys: { type: 'string', maxLength: 4000, description: 'Only these preferences, separated by commas' },
    describe: { type: 'boolean', description: 'With what a form has to know of each preference' },
  },
} as const

/** The preference a path names. */
export const preferenceParams = {
  type: 'object',
  required: ['key'],
  properties: { key: { ...key, description: 'Key of the preference' } },
} as const

/** Values by key. */
export const preferenceValues = {
  type: 'object',
  additionalProperties: true,
  maxProperties: 1000,
  examples: [{ 'ui.theme': 'dark' }],
} as const

/** What to reset; without keys everything. */
export const resetBody = {
  type: 'object',
  additionalProperties: false,
  properties: { keys: { type: 'array', items: key, maxItems: 1000 } },
} as const

/** What values a preference may have, as far as a form has to know. */
const allowed = {
  type: ['object', 'boolean'],
  additionalProperties: true,
  properties: {
    type: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    enum: { type: 'array', items: {} },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    maxLength: { type: 'integer' },
  },
} as const
const held = {
  key: { type: 'string' },
  value: {},
  source: { enum: ['personal', 'global', 'system'] },
  global_value: {},
  system_value: {},
  overridable: { type: 'boolean' },
} as const
/** A preference with what a form for it has to know. */
export const describedPreference = objectOf({ ...held, name: { type: 'string' }, schema: allowed })

const item = { ...objectOf(held, { name: { type: 'string' }, schema: allowed }), additionalProperties: false } as const
const items = { type: 'array', items: item } as const

/** Preferences with their version. */
export const preferenceList = {
  ...objectOf({ items, version: { type: 'string' } }),
  additionalProperties: false,
} as const

/** What a change of own preferences did. */
export const preferencesUpdated = { ...objectOf({ updated: keys, items }), additionalProperties: false } as const

/** What a reset did. */
export const preferencesReset = { ...objectOf({ reset: keys, items }), additionalProperties: false } as const

/** Whether global preferences are changed, or only looked at. */
export const globalQuery = {
  type: 'object',
  properties: { dry_run: { type: 'boolean', description: 'Only tells what would be done' } },
} as const

/** What a change of global preferences did, or would do. */
export const globalUpdated = {
  ...objectOf(
    {
      changed: keys,
      unchanged: keys,
      overrides_removed: { type: 'integer', description: 'How many values of users’ own are lost' },
    },
    { dry_run: { type: 'boolean', description: 'Nothing was written' } },
  ),
  additionalProperties: false,
} as const
