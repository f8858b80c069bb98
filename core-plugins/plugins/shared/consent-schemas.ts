const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const text = { type: 'string' } as const
const reason = { type: ['string', 'null'], description: 'What the author says' } as const

/** How far a right reaches. */
export const risk = {
  enum: ['harmless', 'outside', 'far'],
  description: 'How far it reaches: within the plugin, outside of it, or into what is everybody’s',
} as const

/** What a right covers: hosts, tables, events, paths, bounds. */
export const rightDetail = {
  type: 'object',
  additionalProperties: true,
  description: 'What exactly it covers',
} as const
const before = { type: ['object', 'null'], additionalProperties: true } as const

const items = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['capability', 'optional', 'reason', 'detail', 'before', 'risk'],
    properties: {
      capability: text,
      optional: { type: 'boolean' },
      reason,
      detail: rightDetail,
      before: { ...before, description: 'The detail that was granted, null of what is new' },
      risk,
    },
  },
} as const

const right = {
  kind: {
    enum: ['capability', 'host', 'service', 'public_route', 'subscription', 'table', 'limit', 'slot', 'licensing'],
  },
  detail: text,
  reason,
  capability: { type: 'string', description: 'The item that it belongs to' },
} as const

const added = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'detail', 'reason', 'capability'],
    properties: right,
  },
} as const

/** What is asked to be allowed, and what else changes with it; the hashes pin the answer to all of it. */
export const consent = {
  type: 'object',
  additionalProperties: false,
  required: ['release_hash', 'diff_hash', 'wider', 'unchanged', 'added', 'removed'],
  properties: {
    release_hash: hash,
    diff_hash: hash,
    wider: { ...items, description: 'What is new, or more than before' },
    unchanged: { ...items, description: 'What the release also may do: nothing of it is more' },
    added: { ...added, description: 'Each right that is new, in its smallest part' },
    removed: {
      type: 'array',
      description: 'Each right that is no longer asked for',
      items: {
        ...added.items,
        required: [...added.items.required, 'before'],
        properties: {
          ...right,
          before: { ...before, description: 'Of a capability that goes altogether: the detail that was granted' },
        },
      },
    },
  },
} as const
