import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const count = { type: 'integer' } as const
const bytes = { type: ['integer', 'null'] } as const

const fault = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'reason', 'since', 'tries', 'next_try_at'],
  properties: { plugin: text, reason: text, since: text, tries: count, next_try_at: text },
} as const

const hostBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'is_this', 'alive', 'version', 'generation', 'started_at', 'seen_at', 'uptime_seconds'],
    ...['memory', 'plugins', 'faults'],
  ],
  properties: {
    id: text,
    is_this: { type: 'boolean' },
    alive: { type: 'boolean' },
    version: { type: ['string', 'null'] },
    generation: count,
    started_at: text,
    seen_at: text,
    uptime_seconds: count,
    memory: {
      type: 'object',
      additionalProperties: false,
      required: ['heap_used', 'heap_total', 'rss'],
      properties: { heap_used: bytes, heap_total: bytes, rss: bytes },
    },
    plugins: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'version'],
        properties: { name: text, version: { type: ['string', 'null'] } },
      },
    },
    faults: { type: 'array', items: fault },
  },
} as const

const page = pageOf(hostBody)

/** The query of the list of hosts. */
export const hostQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    alive: { type: 'boolean', description: 'Only hosts that answer, or only those that do not' },
    is_this: { type: 'boolean', description: 'Only the one that answers, or only the others' },
    version: { type: 'string', maxLength: 64, description: 'Only hosts of this version' },
  },
} as const

/** A page of hosts, with what waits for any of them by kind. */
export const hostPage = {
  ...page,
  required: [...page.required, 'jobs'],
  properties: {
    ...page.properties,
    jobs: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'waiting'],
        properties: { kind: text, waiting: count },
      },
    },
  },
} as const
