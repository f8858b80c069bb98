import { objectOf, orNull } from '#kernel/schemas'

const text = { type: 'string' } as const
const slug = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' } as const
const patterns = {
  type: 'array',
  maxItems: 500,
  uniqueItems: true,
  items: { type: 'string', pattern: '^(\\*|[a-z][a-z0-9-]*\\.(\\*|[a-z][a-z0-9-]*))$', maxLength: 64 },
} as const
const nullableText = { type: ['string', 'null'] } as const

const status = { enum: ['new', 'fresh', 'stale', 'failing', 'disabled'] } as const

/** The query of the list of sources, which is never long. */
export const sourceQuery = {
  type: 'object',
  properties: {
    status: { ...status, description: 'Only this status' },
    enabled: { type: 'boolean', description: 'Only those that are on, or only those that are off' },
    unsigned: { type: 'boolean', description: 'Only sources that may bring unsigned packages, or only the others' },
  },
} as const

/** The path of one source. */
export const sourceParams = { type: 'object', required: ['source_id'], properties: { source_id: slug } } as const

const sourceFields = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  url: { type: 'string', minLength: 1, maxLength: 500 },
  priority: { type: 'integer', minimum: 0, maximum: 1000, description: 'The lowest comes first' },
  enabled: { type: 'boolean' },
  headers: {
    type: ['object', 'null'],
    maxProperties: 10,
    propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" },
    additionalProperties: { type: 'string', maxLength: 4096, pattern: '^[\\t\\x20-\\x7e]*$' },
    description: 'Sent with every request; shown as asterisks, which keep what is there',
  },
  root_fingerprint: {
    type: ['string', 'null'],
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the first root.json; without it the first that is seen is kept',
  },
  min_trust: { enum: ['official', 'verified', 'community', 'unsigned'] },
  max_trust: {
    enum: ['official', 'verified', 'community'],
    description: 'How far the source is believed; official plugins run with the just-in-time compiler',
  },
  allow: patterns,
  deny: patterns,
  download_hosts: {
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[a-z0-9.-]{1,253}(:[0-9]{1,5})?$' },
  },
  unsigned: { type: 'boolean', description: 'Whether an index without signatures is read' },
  judges: {
    ...patterns,
    description:
      'Plugins it may switch off although neither they nor their keys were taken from it; of others it only warns',
  },
} as const

/** A new source. */
export const sourceBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'url'],
  properties: { id: slug, ...sourceFields },
} as const

/** What changes about a source; what is left out stays. */
export const sourceChange = { type: 'object', additionalProperties: false, properties: sourceFields } as const

const texts = { type: 'array', items: text } as const
const flag = { type: 'boolean' } as const
const count = { type: 'integer' } as const

/** A source as it is shown. */
export const sourceRecord = objectOf({
  id: text,
  name: text,
  url: text,
  priority: count,
  enabled: flag,
  headers: { type: 'object', additionalProperties: text },
  root_fingerprint: nullableText,
  min_trust: text,
  max_trust: text,
  allow: texts,
  deny: texts,
  download_hosts: texts,
  judges: texts,
  unsigned: flag,
  status,
  plugins: count,
  installed: count,
  sequence: { type: ['integer', 'null'] },
  expires: nullableText,
  last_error: orNull(objectOf({ code: count, reason: text, message: text, at: text })),
  checked_at: nullableText,
  refreshed_at: nullableText,
  created_at: text,
  updated_at: text,
})
