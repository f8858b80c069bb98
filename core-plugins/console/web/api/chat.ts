import { call, send } from './client.ts'
import { readEvents, type StreamEvent } from './event-stream.ts'

/** A source that an answer names. */
export interface Citation {
  readonly index: number
  readonly knowledge_base_id: string
  readonly title: string
  readonly quote: string
  readonly score?: number
}

/** A call of a tool, as an answer keeps it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly title?: string
  readonly plugin?: string | null
  readonly arguments?: unknown
  readonly status?: 'ok' | 'error' | 'refused' | 'awaiting_confirmation'
  readonly duration_ms?: number
  readonly expires_at?: string
}

/** What an answer took. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: string
  readonly currency: string
}

/** Text of a message, or a file that goes with it. */
interface MessagePart {
  readonly type: string
  readonly attachment_id?: string
  readonly filename?: string
}

/** A message as the server keeps it. */
export interface Message {
  readonly id: string
  readonly parent_id: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly parts: readonly MessagePart[]
  readonly finish_reason: string | null
  readonly citations: readonly Citation[]
  readonly tool_calls: readonly ToolCall[]
  readonly usage?: Usage | null
  readonly feedback?: { readonly rating: 'up' | 'down' } | null
  readonly created_at: string
}

/** Which agent was found for a question, and how sure that is. */
export interface Routed {
  readonly agent: { readonly id: string; readonly name: string }
  /** 0 to 1. */
  readonly confidence: number
  /** Nothing fitted well: the usual one. */
  readonly fallback: boolean
}

/** How full the window of the model is, in tokens, and how many older messages stand in it as a summary. */
export interface ChatContext {
  readonly window?: number
  readonly used?: number
  readonly compaction?: { readonly covered: number } | null
}

/** A conversation as lists show it. */
export interface ConversationRow {
  readonly id: string
  readonly title: string
  readonly agent: { readonly id: string; readonly name: string } | null
  readonly message_count: number
  readonly updated_at: string
  readonly archived: boolean
  readonly pinned: boolean
}

/** A conversation with its latest messages. */
export interface Conversation extends ConversationRow {
  readonly active_run_id: string | null
  /** How full the model's window was at the last answer; null before the first one. */
  readonly context?: ChatContext | null
  readonly messages: {
    readonly items: readonly Message[]
    readonly next_cursor: string | null
    readonly has_more: boolean
  }
}

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

/** What stands in the place of a conversation's older messages. */
export interface Compaction {
  readonly state: 'none' | 'building' | 'fresh' | 'stale' | 'failed'
  readonly snapshot: { readonly version: number; readonly text: string; readonly created_at: string } | null
}

/** Reads what stands in the place of older messages. */
export function readCompaction(conversation: string, signal: AbortSignal): Promise<Compaction> {
  return call('GET', `${conversationsPath}/${conversation}/compact`, { signal })
}

/** Shortens older messages now; they stay readable. Throws 409/4094 while an answer is written, or where there is nothing to shorten. */
export function compact(conversation: string): Promise<unknown> {
  return call('POST', `${conversationsPath}/${conversation}/compact`, { body: { force: true } })
}

/** Makes a link to what was said, which is told this once. */
export function share(conversation: string): Promise<{ readonly token: string }> {
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
    const page: Timeline = await call<Timeline>('GET', path, { query: { limit: 500, after } })
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
  const { items } = await call<Timeline>('GET', `${conversationsPath}/${conversation}/timeline`, { query, signal })
  const { message_id: message, route: routed } = items[0]?.data ?? {}
  return message !== undefined && routed ? { message, routed } : undefined
}

interface Timeline {
  readonly items: readonly { readonly data: TimelineData }[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

interface TimelineData {
  readonly call_id?: string
  readonly run_id?: string
  readonly message_id?: string
  readonly route?: Routed
}
