import { objectOf } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: ['integer', 'null'] } as const

/** The conversation that a path names. */
export const timelineParams = {
  type: 'object',
  required: ['conversation_id'],
  properties: { conversation_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const

/** Which entries are wanted. */
export const timelineQuery = {
  type: 'object',
  properties: {
    kinds: { type: 'string', maxLength: 200, description: 'Some of the kinds, with commas between them' },
    after: { type: 'string', pattern: '^[0-9]{1,9}$', description: 'The seq that one has' },
    limit: { type: 'integer', minimum: 1, maximum: 500, description: 'How many at the most' },
  },
} as const

const routed = objectOf({
  agent: objectOf({ id: text, name: text }),
  confidence: { type: 'number', description: '0 to 1' },
  fallback: { type: 'boolean', description: 'Nothing fitted well: the usual one' },
})

/** What an entry tells, by its kind. */
const data = {
  type: 'object',
  additionalProperties: true,
  properties: {
    call_id: { ...text, description: 'Of a call of a tool' },
    run_id: { ...text, description: 'Which run did it' },
    message_id: { ...text, description: 'Of a message' },
    route: { ...routed, description: 'Of a question for which an agent was looked for' },
  },
} as const

const entry = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'seq', 'at', 'kind', 'actor', 'title', 'ref', 'duration_ms', 'tokens', 'cost', 'data'],
  properties: {
    id: text,
    seq: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    kind: text,
    title: text,
    actor: { type: 'object', required: ['type', 'id'], properties: { type: text, id: maybe } },
    ref: { type: ['object', 'null'], additionalProperties: true },
    duration_ms: count,
    tokens: count,
    cost: maybe,
    data,
  },
} as const

/** Some of a timeline. */
export const timelinePage = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'next_cursor', 'has_more'],
  properties: { items: { type: 'array', items: entry }, next_cursor: maybe, has_more: { type: 'boolean' } },
} as const
