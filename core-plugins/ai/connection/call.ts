/** How long each part of a call may take, in milliseconds. */
export interface CallTimeouts {
  /** Until a connection stands and the request begins to be sent. */
  readonly connectMs: number
  /** From then until somebody says that the answer has begun: `began()`. */
  readonly firstTokenMs: number
  /** From then between two pieces. */
  readonly idleMs: number
  /** For everything. */
  readonly totalMs: number
}

/** The part of a call whose time was over. */
export type CallPhase = 'connect' | 'first_token' | 'idle' | 'total'

/** One request to a provider. */
export interface ProviderCall {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly timeouts: CallTimeouts
}

/** Hears of one call, in this order; after `end`, `fail` or an abort nothing. All are called at once, and must not throw. */
export interface CallListener {
  /** The status and the headers, by names in small letters. A redirect is an answer like any other. */
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** A piece as it came. It is the listener's to keep. */
  piece(bytes: Buffer): void
  end(): void
  fail(error: ProviderCallError): void
}

/** A call under way. */
export interface ProviderExchange {
  /** Ends it and its connection at once; nothing is heard of it any more. */
  abort(): void
  /** The first token is there: from now on the time between two pieces counts. */
  began(): void
  /** Reads no further until `resume`; that time counts as no silence of the provider. */
  pause(): void
  resume(): void
}

/**
 * Why a call came to no end. `unsent`: the connection failed, so the provider has seen nothing of it. `broken`: it failed later.
 * `timeout`: its phase took too long. `invalid`: what came is no HTTP, larger than allowed, or encoded although nobody asked for it.
 */
export class ProviderCallError extends Error {
  override readonly name = 'ProviderCallError'
  readonly kind: 'unsent' | 'broken' | 'timeout' | 'invalid'
  /** Of a timeout. */
  readonly phase: CallPhase | undefined

  constructor(kind: ProviderCallError['kind'], message: string, phase?: CallPhase, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.phase = phase
  }
}
