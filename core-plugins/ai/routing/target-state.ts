import { Breaker, type BreakerParts, type BreakerRecord, type Pass } from './breaker.ts'
import { Cooldown } from './cooldown.ts'
import { RateBucket } from './rate-bucket.ts'
import type { AttemptEnd, ProviderLimits } from './target.ts'
import { TargetRecord } from './target-record.ts'

/** Told of what other hosts ought to know. */
export interface StateNews {
  breaker(key: string, record: BreakerRecord): void
  cooldown(key: string, until: number): void
  /** A provider that has limits a minute was asked for so much. */
  taken(key: string, taken: Taken): void
}

/** What was taken of the limits of a provider, and those limits; negative tokens were given back. */
export interface Taken {
  readonly requests: number
  readonly tokens: number
  readonly limits: Pick<ProviderLimits, 'rpm' | 'tpm'>
}

/** What is known of one target. */
export class TargetState {
  readonly breaker: Breaker
  readonly cooldown = new Cooldown()
  readonly record: TargetRecord
  inFlight = 0

  constructor(key: string, parts: BreakerParts, news: StateNews) {
    this.breaker = new Breaker({ ...parts, changed: (record) => news.breaker(key, record) })
    this.record = new TargetRecord(parts.now)
  }
}

/** What is known of one provider, over all its targets. */
export class ProviderState {
  readonly breaker: Breaker
  readonly #requests: RateBucket
  readonly #tokens: RateBucket
  readonly #tell: (taken: Taken) => void
  inFlight = 0

  constructor(key: string, parts: BreakerParts, news: StateNews) {
    this.breaker = new Breaker({ ...parts, changed: (record) => news.breaker(key, record) })
    this.#tell = (taken) => news.taken(key, taken)
    this.#requests = new RateBucket(parts.now)
    this.#tokens = new RateBucket(parts.now)
  }

  /** Milliseconds until its limits let a request of so many tokens in. */
  wait({ rpm, tpm }: ProviderLimits, tokens: number): number {
    return Math.max(
      rpm === undefined ? 0 : this.#requests.wait(1, rpm),
      tpm === undefined ? 0 : this.#tokens.wait(tokens, tpm),
    )
  }

  /** Counts a request against its limits, here and on the other hosts. */
  take(limits: ProviderLimits, tokens: number): void {
    this.#count({ requests: 1, tokens, limits })
  }

  /** Puts right what a request was expected to take. */
  correct(limits: ProviderLimits, tokens: number): void {
    if (tokens !== 0 && limits.tpm !== undefined) this.#count({ requests: 0, tokens, limits })
  }

  /** Counts what another host took. */
  hear({ requests, tokens, limits: { rpm, tpm } }: Taken): void {
    if (rpm !== undefined && requests !== 0) this.#requests.take(requests, rpm)
    if (tpm !== undefined && tokens !== 0) this.#tokens.take(tokens, tpm)
  }

  #count({ requests, tokens, limits: { rpm, tpm } }: Taken): void {
    if (rpm === undefined && tpm === undefined) return
    const taken = { requests, tokens, limits: { rpm, tpm } }
    this.hear(taken)
    this.#tell(taken)
  }
}

const againstTarget: Readonly<Record<AttemptEnd, 'ok' | 'bad' | 'neutral'>> = {
  ...({ ok: 'ok', neutral: 'neutral', rate_limit: 'neutral', auth: 'neutral' } as const),
  ...({ connect: 'bad', timeout: 'bad', server: 'bad', bad_response: 'bad', truncated: 'bad' } as const),
}

/** A provider is gone when nobody gets through to it; whatever it answers shows that somebody did. */
export const againstProvider: Readonly<Record<AttemptEnd, 'ok' | 'bad' | 'neutral'>> = {
  ...({ ok: 'ok', connect: 'bad', timeout: 'neutral', neutral: 'neutral' } as const),
  ...({ rate_limit: 'ok', auth: 'neutral', server: 'ok', bad_response: 'ok', truncated: 'ok' } as const),
}

/** Tells both breakers how an attempt ended. */
export function endPasses(
  target: TargetState,
  provider: ProviderState,
  passes: { readonly target: Pass; readonly provider: Pass },
  end: AttemptEnd,
): void {
  target.breaker.end(passes.target, againstTarget[end], end)
  provider.breaker.end(passes.provider, againstProvider[end], end)
}
