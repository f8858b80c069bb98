/** One place where a model runs, as a route names it. */
export interface Target {
  /** As the route names it; unique in its route. */
  readonly id: string
  /** Provider and upstream model: what is learnt about a target is kept by it, whichever route it was asked for. */
  readonly key: string
  readonly providerId: string
  /** The lowest tier with a target that admits the request is used. */
  readonly tier: number
  /** 0 takes it out of the choice. */
  readonly weight: number
  readonly maxConcurrency?: number | undefined
  /** Any measure of what a token costs; for the strategy `cost`. */
  readonly price?: number | undefined
  /** In tokens. */
  readonly contextWindow?: number | undefined
  readonly capabilities?: Readonly<Record<string, boolean>> | undefined
  /** What its provider lets in. */
  readonly providerLimits?: ProviderLimits | undefined
  /** Its part of a call takes no longer, retries before it included; undefined of one that does not say. In milliseconds. */
  readonly totalMs?: number | undefined
  /** Why it cannot be called at this moment; undefined where it can. From memory: it is asked at each choice. */
  readonly obstacle?: (() => string | undefined) | undefined
}

/** What a provider lets in at most. */
export interface ProviderLimits {
  /** Requests a minute. */
  readonly rpm?: number | undefined
  /** Tokens a minute. */
  readonly tpm?: number | undefined
  readonly maxConcurrency?: number | undefined
}

/** What a request needs of a target. */
export interface Wish {
  readonly inputTokens: number
  readonly maxOutputTokens: number
  /** Such as `tools`: a target that says it has not is left out. */
  readonly needs?: readonly string[]
  readonly stream?: boolean
  /** Requests of one key go to one target, where the strategy is `sticky`. */
  readonly stickyKey?: string | undefined
  /** Ids of targets as somebody put them in order: the first that admits it is taken, whatever tier it is of. */
  readonly order?: readonly string[] | undefined
  /** Ids of targets that this request has been to. */
  readonly tried?: ReadonlySet<string>
  /** Why the caller may not use a target; undefined where it may. */
  readonly refuses?: (target: Target) => string | undefined
}

/** How an attempt ended, for what is learnt from it. */
export type AttemptEnd =
  /** A whole answer. */
  | 'ok'
  /** Says nothing about the target: the caller hung up, or the request itself was refused. */
  | 'neutral'
  | 'connect'
  | 'timeout'
  | 'server'
  | 'bad_response'
  | 'truncated'
  | 'rate_limit'
  | 'auth'

/** What an attempt tells about its target. */
export interface AttemptResult {
  readonly end: AttemptEnd
  /** Of a stream: milliseconds to the first token. */
  readonly ttftMs?: number | undefined
  readonly durationMs?: number | undefined
  readonly outputTokens?: number | undefined
  /** What the provider asked for with 429. */
  readonly retryAfterMs?: number | undefined
}
