import { Breaker, type BreakerParts, type BreakerRecord, type Pass } from './breaker.ts'
import { Cooldown } from './cooldown.ts'
import { RateBucket } from './rate-bucket.ts'
import type { AttemptEnd, ProviderLimits } from './target.ts'
import { TargetRecord } from './target-record.ts'

/** Told of what other hosts ought to know. */
export interface StateNews {
  breaker(key: string, record: BreakerRecord): void
  cooldown(key: string, until: number): void
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
  inFlight = 0

  constructor(key: string, parts: BreakerParts, news: StateNews) {
    this.breaker = new Breaker({ ...parts, changed: (record) => news.breaker(key, record) })
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

  /** Counts a request against its limits. */
  take({ rpm, tpm }: ProviderLimits, tokens: number): void {
    if (rpm !== undefined) this.#requests.take(1, rpm)
    if (tpm !== undefined) this.#tokens.take(tokens, tpm)
  }

  /** Puts right what a request was expected to take. */
  correct({ tpm }: ProviderLimits, tokens: number): void {
    if (tpm !== undefined && tokens !== 0) this.#tokens.take(tokens, tpm)
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
