import { call, send } from './client.ts'
import { readEvents, type StreamEvent } from './event-stream.ts'

/** An agent that may be asked. */
export interface Agent {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string
  readonly opening_message: string
  readonly suggested_questions: readonly string[]
}

/** A source that an answer names. */
export interface Citation {
  readonly index: number
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

/** A message as the server keeps it. */
export interface Message {
  readonly id: string
  readonly parent_id: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly finish_reason: string | null
  readonly citations: readonly Citation[]
  readonly tool_calls: readonly ToolCall[]
  readonly usage?: Usage | null
  readonly feedback?: { readonly rating: 'up' | 'down' } | null
}

/** A conversation with its latest messages. */
export interface Conversation {
  readonly id: string
  readonly title: string
  readonly agent: { readonly id: string; readonly name: string } | null
  readonly active_run_id: string | null
  readonly messages: {
    readonly items: readonly Message[]
    readonly next_cursor: string | null
    readonly has_more: boolean
  }
}

/** An event of a run; kinds that nobody knows are passed over. */
export type RunEvent = StreamEvent

const base = '/ai/agent-chat'
const accept = 'text/event-stream'

/** A conversation with its last messages, or with those before one. */
export function readConversation(id: string, signal: AbortSignal, before?: string): Promise<Conversation> {
  return call<Conversation>('GET', `${base}/conversations/${id}`, { query: { before }, signal })
}

/** Asks an agent; the events of its answer as they come. Throws the Problem of a refusal. */
export async function* ask(agent: string, wish: object, signal: AbortSignal, key: string): AsyncGenerator<RunEvent> {
  const path = `${base}/${encodeURIComponent(agent)}/chat/stream`
  const body = { ...wish, client_message_id: key }
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
  return call('PUT', `${base}/conversations/${conversation}/messages/${message}/feedback`, { body: { rating } })
}

/** Makes a link to what was said, which is told this once. */
export function share(conversation: string): Promise<{ readonly token: string }> {
  return call('POST', `${base}/conversations/${conversation}/share`)
}

/** Takes the link back. */
export function unshare(conversation: string): Promise<unknown> {
  return call('DELETE', `${base}/conversations/${conversation}/share`)
}

/** The run that asks whether a call may be made. */
export async function runThatAsked(conversation: string, callId: string): Promise<string | undefined> {
  const path = `${base}/conversations/${conversation}/timeline`
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

interface Timeline {
  readonly items: readonly { readonly data: { readonly call_id?: string; readonly run_id?: string } }[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}
