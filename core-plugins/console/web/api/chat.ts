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
}

/** A message as the server keeps it. */
export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly finish_reason: string | null
  readonly citations: readonly Citation[]
  readonly tool_calls: readonly { readonly name: string; readonly status?: string }[]
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

/** Asks an agent; the events of its answer as they come. Throws the Problem of a refusal. */
export async function* ask(agent: string, body: unknown, signal: AbortSignal, key: string): AsyncGenerator<RunEvent> {
  const response = await send('POST', `/ai/agent-chat/${encodeURIComponent(agent)}/chat/stream`, {
    body,
    signal,
    idempotencyKey: key,
  })
  yield* readEvents(response)
}

/** The events of a run from its beginning, also those that were missed. */
export async function* follow(run: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
  yield* readEvents(await send('GET', `/ai/agent-chat/runs/${run}/events`, { signal }))
}

/** Ends a run; what was said stays. */
export function cancelRun(run: string): Promise<unknown> {
  return call('POST', `/ai/agent-chat/runs/${run}/cancel`, { body: {} })
}
