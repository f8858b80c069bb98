/** What the server says beside events. */
export type ServerFrame =
  | {
      readonly type: 'ready'
      readonly session_id: string
      readonly heartbeat_seconds: number
      /** What `resume` and `Last-Event-ID` begin with before the first event; null while that cannot be told. */
      readonly last_id: string | null
      /** When the credential ends; `auth` with another before that goes on. */
      readonly expires_at: string | null
    }
  /** Everything up to `last_id` has come: a client that is away comes back from there. Null while that cannot be told. */
  | { readonly type: 'pong'; readonly last_id: string | null }
  | { readonly type: 'renewed'; readonly expires_at: string | null }
  | { readonly type: 'subscribed'; readonly topics: unknown }
  | { readonly type: 'resumed'; readonly last_id: string | null; readonly count: number }
  /** Events were missed that are kept no more: read the lists again. */
  | { readonly type: 'resync'; readonly last_id: string | null }
  /** The host stops: come back after so many milliseconds, and resume. */
  | { readonly type: 'restart'; readonly retry_after_ms: number }
  /** The last word where a close has no code of its own: on an event stream. */
  | { readonly type: 'close'; readonly code: number; readonly reason: string }
  | { readonly type: 'error'; readonly code: number; readonly reason: string; readonly message: string }

/** A frame as bytes. */
export function printFrame(frame: ServerFrame): Buffer {
  return Buffer.from(JSON.stringify(frame))
}

/** An event on its way to those whom it concerns. */
export interface Delivery {
  readonly id: string
  readonly event: string
  /** The same bytes for everybody. */
  readonly frame: Buffer
  readonly roles: readonly string[] | undefined
}

/** What the log keeps of an event. */
export interface LoggedFrame {
  readonly event: string
  readonly ts: string
  readonly data: unknown
  /** Only for those who hold one of these roles when it comes. */
  readonly roles?: readonly string[]
}

/** An event as every reader gets it. */
export function printEvent(id: string, { event, ts, data, roles }: LoggedFrame): Delivery {
  return { id, event, roles, frame: Buffer.from(JSON.stringify({ id, type: 'event', event, ts, v: 1, data })) }
}
