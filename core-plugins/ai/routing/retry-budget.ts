/** Seconds for which unused retries are kept. */
const keptS = 10

/**
 * Retries that a route may afford: each request adds a part of one, and some come with time. What is left over from a quiet time is
 * capped, so that an outage does not begin with a storm (as in Finagle's retry budgets).
 */
export class RetryBudget {
  readonly #now: () => number
  #tokens: number | undefined
  #at = 0
  #requests = 0
  #retries = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A request came in. */
  request(ratio: number, minPerS: number): void {
    this.#refill(minPerS)
    this.#tokens = Math.min((this.#tokens ?? 0) + ratio, cap(ratio, minPerS))
    this.#requests++
  }

  /** Whether one retry may be made; it is counted then. */
  take(minPerS: number): boolean {
    this.#refill(minPerS)
    // Fifths do not sum to ones.
    if ((this.#tokens ?? 0) < 1 - 1e-9) return false
    this.#tokens = (this.#tokens ?? 0) - 1
    this.#retries++
    return true
  }

  /** When it was asked last. */
  get usedAt(): number {
    return this.#at
  }

  /** Retries for each request, lately. */
  get ratio(): number {
    return this.#requests === 0 ? 0 : this.#retries / this.#requests
  }

  #refill(minPerS: number): void {
    const now = this.#now()
    const most = keptS * minPerS
    if (this.#tokens === undefined) this.#tokens = most
    else if (this.#tokens < most) this.#tokens = Math.min(most, this.#tokens + ((now - this.#at) / 1_000) * minPerS)
    // Halved each so often, so that the ratio is of late.
    if (now - this.#at > 60_000) this.#requests = this.#retries = 0
    else if (this.#requests > 10_000) {
      this.#requests /= 2
      this.#retries /= 2
    }
    this.#at = now
  }
}

function cap(ratio: number, minPerS: number): number {
  return keptS * minPerS + 100 * ratio
}
