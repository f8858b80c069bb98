import type {
  CompactionBody,
  ConversationBody,
  ConversationDetailBody,
  MessageBody,
  ShareBody,
  TimelineBody,
} from '../../../chat/wire.ts'
import { call, send } from './client.ts'
import { readEvents, type StreamEvent } from './event-stream.ts'

/** A message as the server keeps it. */
export type Message = MessageBody
/** A source that an answer names. */
export type Citation = MessageBody['citations'][number]
/** A call of a tool, as an answer keeps it. */
export type ToolCall = MessageBody['tool_calls'][number]
/** What an answer took. */
export type Usage = NonNullable<MessageBody['usage']>
/** Which agent was found for a question, and how sure that is. */
export type Routed = NonNullable<TimelineBody['items'][number]['data']['route']>
/** How full the window of the model is, in tokens, and how many older messages stand in it as a summary. */
export type ChatContext = NonNullable<ConversationDetailBody['context']>
/** A conversation as lists show it. */
export type ConversationRow = ConversationBody
/** A conversation with its latest messages. */
export type Conversation = ConversationDetailBody

/** An event of a run; kinds that nobody knows are passed over. */
export type RunEvent = StreamEvent

const base = '/ai/agent-chat'
/** Where conversations are listed, which news of them makes old. */
export const conversationsPath = `${base}/conversations`
const accept = 'text/event-stream'

/** Names, pins or archives a conversation; without a title one is made of what was said. */
export function changeConversation(
  id: string,
  change: { readonly title?: string | null; readonly pinned?: boolean; readonly archived?: boolean },
): Promise<ConversationRow> {
  return call<ConversationRow>('PATCH', `${conversationsPath}/${id}`, { body: change })
}

/** Deletes a conversation with its messages. */
export function deleteConversation(id: string): Promise<unknown> {
  return call('DELETE', `${conversationsPath}/${id}`)
}

/** A conversation with its last messages, or with those before one. */
export function readConversation(
  id: string,
  signal: AbortSignal,
  { before, limit }: { readonly before?: string; readonly limit?: number } = {},
): Promise<Conversation> {
  return call<Conversation>('GET', `${conversationsPath}/${id}`, { query: { before, limit }, signal })
}

/** Asks an agent, or without one whichever fits; the events of its answer as they come. Throws the Problem of a refusal. */
export async function* ask(
  agent: string | undefined,
  wish: object,
  signal: AbortSignal,
  key: string,
): AsyncGenerator<RunEvent> {
  const path = agent === undefined ? `${base}/route` : `${base}/${encodeURIComponent(agent)}/chat/stream`
  const body = { ...wish, client_message_id: key, ...(agent === undefined && { dispatch: true }) }
  yield* readEvents(await send('POST', path, { body, signal, accept, idempotencyKey: key }))
}

/** The events of a run after one of them, or from its beginning, also those that were missed. */
export async function* follow(run: string, signal: AbortSignal, after?: string): AsyncGenerator<RunEvent> {
  yield* readEvents(await send('GET', `${base}/runs/${run}/events`, { signal, accept, lastEventId: after }))
}

/** Ends a run; what was said stays. */
export function cancelRun(run: string): Promise<unknown> {
  return call('POST', `${base}/runs/${run}/cancel`, { body: {} })
}

/** Says what the reader thinks of an answer, or takes it back. */
export function rate(conversation: string, message: string, rating: 'up' | 'down' | null): Promise<unknown> {
  return call('PUT', `${conversationsPath}/${conversation}/messages/${message}/feedback`, { body: { rating } })
}

/** Reads what stands in the place of older messages. */
export function readCompaction(conversation: string, signal: AbortSignal): Promise<CompactionBody> {
  return call('GET', `${conversationsPath}/${conversation}/compact`, { signal })
}

/** Shortens older messages now; they stay readable. Throws 409/4094 while an answer is written, or where there is nothing to shorten. */
export function compact(conversation: string): Promise<unknown> {
  return call('POST', `${conversationsPath}/${conversation}/compact`, { body: { force: true } })
}

/** Makes a link to what was said, which is told this once. */
export function share(conversation: string): Promise<ShareBody> {
  return call('POST', `${conversationsPath}/${conversation}/share`)
}

/** Takes the link back. */
export function unshare(conversation: string): Promise<unknown> {
  return call('DELETE', `${conversationsPath}/${conversation}/share`)
}

/** The run that asks whether a call may be made. */
export async function runThatAsked(conversation: string, callId: string): Promise<string | undefined> {
  const path = `${conversationsPath}/${conversation}/timeline`
  let after: string | null | undefined
  let found: string | undefined
  do {
    const page: TimelineBody = await call<TimelineBody>('GET', path, { query: { limit: 500, after } })
    const entry = page.items.findLast(({ data }) => data.call_id === callId)
    found = entry?.data.run_id ?? found
    after = page.has_more ? page.next_cursor : null
  } while (after !== null)
  return found
}

/** Which agent was found for the first question of a conversation, and which message answered it; nothing where none was looked for. */
export async function readRouted(
  conversation: string,
  signal: AbortSignal,
): Promise<{ readonly message: string; readonly routed: Routed } | undefined> {
  const query = { kinds: 'message', limit: 1 }
  const { items } = await call<TimelineBody>('GET', `${conversationsPath}/${conversation}/timeline`, { query, signal })
  const { message_id: message, route: routed } = items[0]?.data ?? {}
  return message !== undefined && routed ? { message, routed } : undefined
}
