const text = { type: 'string' } as const
const keys = { type: 'array', items: text } as const

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
    rules: { type: 'object' },
    options: { type: 'array', items: { type: 'object' } },
    ui: { type: 'object' },
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
