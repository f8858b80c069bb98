const text = { type: 'string' } as const
const keys = { type: 'array', items: text } as const

const bound = { type: ['number', 'null'] } as const
const maybe = { type: ['string', 'null'] } as const
const rules = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...{ min: bound, max: bound, min_value: bound, max_value: bound, min_length: bound, max_length: bound },
    ...{ pattern: maybe, format: maybe },
  },
  description: 'What a value has to fit; null says nothing',
} as const
const option = {
  type: 'object',
  additionalProperties: false,
  required: ['label', 'value', 'disabled'],
  properties: { label: text, value: { type: ['string', 'number'] }, disabled: { type: 'boolean' } },
} as const
const ui = {
  type: 'object',
  additionalProperties: false,
  required: ['placeholder', 'unit', 'visible_when'],
  properties: {
    placeholder: text,
    unit: text,
    visible_when: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Values of other keys with which it is asked for',
    },
  },
} as const

const item = {
  type: 'object',
  required: ['key', 'name', 'type', 'value', 'default', 'source', 'is_set'],
  properties: {
    key: text,
    name: text,
    description: text,
    type: text,
    value: {},
    default: {},
    source: { enum: ['tenant', 'platform', 'code', 'caller'] },
    is_set: { type: 'boolean' },
    required: { type: 'boolean' },
    sensitive: { type: 'boolean' },
    rules,
    options: { type: 'array', items: option },
    ui,
  },
} as const

/** The settings of a plugin under their short keys, with the group that they stand in. */
export const settingsBody = {
  type: 'object',
  required: ['group', 'items', 'etag'],
  properties: {
    group: { type: 'object', required: ['code', 'name'], properties: { code: text, name: text, description: text } },
    items: { type: 'array', items: item },
    etag: text,
  },
} as const

/** What a change of them did; what is pending waits for an approval. */
export const settingsWritten = {
  type: 'object',
  required: ['group', 'updated', 'unchanged', 'reset', 'pending', 'items', 'etag'],
  properties: {
    group: text,
    updated: keys,
    unchanged: keys,
    reset: keys,
    pending: keys,
    items: { type: 'array', items: item },
    etag: text,
  },
} as const
