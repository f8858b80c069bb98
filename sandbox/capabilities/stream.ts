import type { Json } from './json.ts'
import type { CtxMembers } from './row.ts'

/** One message of a streamed answer. */
interface StreamMessage {
  /** `message` unless said otherwise: small letters, digits, `_`, `-` and `.`. */
  readonly event?: string
  /** What a reader sends as `last-event-id` when it comes back; at most 100 characters. */
  readonly id?: string
}

/** The answer of a route with `"stream": true`, piece by piece, as `text/event-stream`: 64 KB a message, 1 MB in all, within the call's clock. */
interface Stream {
  /**
   * Sends a message, and resolves when the reader has room for the next. After the first one the answer is a stream, and what the handler
   * returns is its last message, `result`; without one it is an ordinary answer. Fails with `bad_request` in other calls, `invalid` beyond the bounds.
   */
  send(data: Json, message?: StreamMessage): Promise<void>
}

/** What of `ctx` leads to whoever reads the answer. */
export interface StreamCtx {
  readonly stream: Stream
}

/** A message of a streamed answer in a test. */
export interface TestStreamMessage {
  readonly event: string
  readonly id: string | undefined
  readonly data: Json
}

/** What was streamed in a test. */
export interface StreamSeen {
  /** Messages of all answers, oldest first. */
  readonly streamed: readonly TestStreamMessage[]
}

/** The member of `ctx` that leads to whoever reads the answer. */
export const streamCtx: CtxMembers<StreamCtx> = {
  stream: {
    by: [],
    open: (send) => ({ send: (data, message) => send('stream.send', { ...message, data }) }),
    saving: ['send'],
  },
}
