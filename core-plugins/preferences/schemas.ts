import type { Schema } from '#kernel'

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

const item: Schema = {
  type: 'object',
  required: ['key', 'value', 'source', 'global_value', 'system_value', 'overridable'],
  additionalProperties: false,
  properties: {
    key: { type: 'string' },
    value: {},
    source: { enum: ['personal', 'global', 'system'] },
    global_value: {},
    system_value: {},
    overridable: { type: 'boolean' },
    // Only where `describe` asks for them.
    name: { type: 'string' },
    schema: { type: ['object', 'boolean'] },
  },
}
const items: Schema = { type: 'array', items: item }

/** Preferences with their version. */
export const preferenceList: Schema = {
  type: 'object',
  required: ['items', 'version'],
  additionalProperties: false,
  properties: { items, version: { type: 'string' } },
}

/** What a change of own preferences did. */
export const preferencesUpdated: Schema = {
  type: 'object',
  required: ['updated', 'items'],
  additionalProperties: false,
  properties: { updated: keys, items },
}

/** What a reset did. */
export const preferencesReset: Schema = {
  type: 'object',
  required: ['reset', 'items'],
  additionalProperties: false,
  properties: { reset: keys, items },
}

/** Whether global preferences are changed, or only looked at. */
export const globalQuery = {
  type: 'object',
  properties: { dry_run: { type: 'boolean', description: 'Only tells what would be done' } },
} as const

/** What a change of global preferences did, or would do. */
export const globalUpdated: Schema = {
  type: 'object',
  required: ['changed', 'unchanged', 'overrides_removed'],
  additionalProperties: false,
  properties: {
    changed: keys,
    unchanged: keys,
    overrides_removed: { type: 'integer', description: 'How many values of users’ own are lost' },
    dry_run: { type: 'boolean', description: 'Nothing was written' },
  },
}
