import type { Schema } from '#kernel'

/** One kind of frame, as clients read or write it. */
interface FrameSchema {
  readonly type: string
  readonly summary: string
  readonly payload: Schema
}

const text = { type: 'string' } as const
const number = { type: 'integer' } as const
const id = { type: 'string', format: 'uuid' } as const
const maybeId = { type: ['string', 'null'], format: 'uuid' } as const
const moment = { type: ['string', 'null'], format: 'date-time' } as const
const topics = {
  type: 'array',
  maxItems: 50,
  items: { ...text, maxLength: 100, pattern: '^(\\*|[a-z0-9_.-]+(\\.\\*)?)$' },
  description: 'Names of events, beginnings with .*, or *',
} as const

/** What the server says beside events. */
export const serverFrames: readonly FrameSchema[] = [
  frame('ready', 'The connection hears its namespace; the first frame', {
    ...{ session_id: text, heartbeat_seconds: number },
    last_id: { ...maybeId, description: 'Every later event comes; null while that cannot be told' },
    expires_at: { ...moment, description: 'When the credential ends' },
  }),
  frame('pong', 'The answer to a ping, and on an event stream a sign of life', {
    last_id: {
      ...maybeId,
      description: 'Everything up to it has come: where to come back from; null while that cannot be told',
    },
  }),
  frame('subscribed', 'Only these events come from now on', { topics }),
  frame('resumed', 'What was missed has come', { last_id: maybeId, count: number }),
  frame('resync', 'More was missed than is kept: read the lists again', { last_id: maybeId }),
  frame('renewed', 'The connection goes on with the other credential', { expires_at: moment }),
  frame('restart', 'The host stops: come back after so many milliseconds, and resume', { retry_after_ms: number }),
  frame('close', 'The last word on an event stream, where a close has no code of its own', {
    code: number,
    reason: text,
  }),
  frame('error', 'A frame could not be taken', { code: number, reason: text, message: text }),
]

/** What clients say on a WebSocket. */
export const clientFrames: readonly FrameSchema[] = [
  frame('ping', 'Is somebody there?', {}),
  {
    ...frame('auth', 'Who the client is, or goes on as; with last_id what was missed since comes first', {}),
    payload: {
      type: 'object',
      required: ['type'],
      properties: { type: { const: 'auth' }, token: text, ticket: text, last_id: id },
      oneOf: [{ required: ['token'] }, { required: ['ticket'] }],
    } as unknown as Schema,
  },
  frame('subscribe', 'Which events are wanted', { topics }),
  frame('ack', 'Everything up to this event was dealt with', { id }),
  {
    ...frame('resume', 'What came after an event, or after the last one that was acknowledged', {}),
    payload: { type: 'object', required: ['type'], properties: { type: { const: 'resume' }, last_id: id } },
  },
]

/** A frame that has all of its members. */
function frame(type: string, summary: string, members: Readonly<Record<string, object>>): FrameSchema {
  const properties = { type: { const: type }, ...members }
  return {
    type,
    summary,
    payload: { type: 'object', required: Object.keys(properties), properties } as unknown as Schema,
  }
}
