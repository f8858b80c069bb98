/** What goes wrong with an answer. `after` counts pieces of the answer that were sent before. */
export type UpstreamTrouble =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Takes the request and never says a word. */
  | { readonly kind: 'hang' }
  /** The connection breaks: without a head, or after so many pieces. */
  | { readonly kind: 'cut'; readonly after?: number }
  /** The head goes out and, after so many pieces, nothing more. */
  | { readonly kind: 'stall'; readonly after: number }
  /** The stream ends as if it were whole, without its last events. */
  | { readonly kind: 'end'; readonly after: number }
  /** The vendor's own error, within the stream. */
  | { readonly kind: 'error'; readonly after: number }
  /** What is no JSON, in place of the next piece. */
  | { readonly kind: 'garbage'; readonly after: number }

/** How the vendor behaves; of a lane, or of one request by the header `x-fake-upstream`. */
export interface Behaviour {
  /** Milliseconds before the head, before the first piece, and between pieces. */
  readonly headMs?: number
  readonly firstMs?: number
  readonly pieceMs?: number
  /** What it says; otherwise it repeats what it was told. */
  readonly text?: string
  /** Says so many words; more than it was allowed to where it ignores the limit. */
  readonly words?: number
  readonly ignoresMaxTokens?: boolean
  readonly trouble?: UpstreamTrouble
  /** What it says that it used: `wrong` is nothing that can be, `much` what could be and is not. */
  readonly usage?: 'right' | 'wrong' | 'much' | 'none'
  /** Calls that it asks for, as long as no result came. */
  readonly calls?: readonly { readonly name: string; readonly arguments: object; readonly id?: string }[]
  /** Does not think though it was asked to, or does though it was not. */
  readonly thinks?: boolean
  /** So many requests only, but for those with GET; then it behaves again. */
  readonly times?: number
}

/** A request that reached the vendor; times are milliseconds since 1970. */
export interface SeenRequest {
  readonly id: number
  readonly method: string
  /** Without the lane. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly at: number
  /** When the caller went away before the answer was whole. */
  readonly hungUpAt?: number
  readonly endedAt?: number
  /** Pieces of the answer that were sent. */
  readonly pieces: number
}
