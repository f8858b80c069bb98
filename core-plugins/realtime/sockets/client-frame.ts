import { MalformedBodyError, positionOf } from '#kernel'
import { readTopics, type TopicFilter } from '../connections/topics.ts'
import { FrameInvalidError } from '../errors.ts'

/** What a client says. */
export type ClientFrame =
  | { readonly type: 'ping' }
  | { readonly type: 'auth'; readonly token?: string; readonly ticket?: string; readonly lastId?: string | undefined }
  | { readonly type: 'subscribe'; readonly topics: readonly string[]; readonly filter: TopicFilter }
  | { readonly type: 'ack'; readonly id: string }
  | { readonly type: 'resume'; readonly lastId: string | undefined }

const longestToken = 8192

/** Reads a message; throws 400/4001 for what is no JSON and 422/4220 for what is no frame. */
export function readFrame(text: string | undefined): ClientFrame {
  const frame = text === undefined ? undefined : parse(text)
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) throw new MalformedBodyError()
  const { type, token, ticket, topics, id, last_id: lastId } = frame as Readonly<Record<string, unknown>>
  if (type === 'ping') return { type }
  if (type === 'auth') return readAuth(token, ticket, lastId)
  if (type === 'subscribe') {
    const filter = readTopics(topics)
    if (filter) return { type, topics: topics as readonly string[], filter }
    throw new FrameInvalidError({ fault: 'has no list of topics' })
  }
  if (type === 'ack') return { type, id: demandId(id) }
  if (type === 'resume') return { type, lastId: lastId === undefined ? undefined : demandId(lastId) }
  throw new FrameInvalidError({ fault: 'has no type that is known: ack, auth, ping, resume or subscribe' })
}

/** The id of an event; throws 422/4220 for what is none. */
export function demandId(value: unknown): string {
  if (typeof value === 'string' && positionOf(value)) return value
  throw new FrameInvalidError({ fault: 'has no id of an event' })
}

function readAuth(token: unknown, ticket: unknown, lastId: unknown): ClientFrame {
  const since = { lastId: lastId === undefined ? undefined : demandId(lastId) }
  if (isCredential(token) && ticket === undefined) return { type: 'auth', token, ...since }
  if (isCredential(ticket) && token === undefined) return { type: 'auth', ticket, ...since }
  throw new FrameInvalidError({ fault: 'has neither a token nor a ticket' })
}

function isCredential(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestToken
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
