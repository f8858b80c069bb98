/** Whether a call may go in, and if not, when it is worth asking again. */
export type Admittance =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly state: 'open' | 'half_open' | 'quarantined'; readonly retryAfterMs: number }

/** A time in which no call goes in, and after it one at a time, to see. */
export class Pause {
  readonly #openMs: number
  readonly #now: () => number
  readonly #openedAt: number
  #probingSince: number | undefined

  constructor(openMs: number, now: () => number) {
    this.#openMs = openMs
    this.#now = now
    this.#openedAt = now()
  }

  /** Whether a call may go in to see. */
  get isHalfOpen(): boolean {
    return this.#now() - this.#openedAt >= this.#openMs
  }

  /** The first to ask when the time is over is the probe. */
  admit(): Admittance {
    const now = this.#now()
    const openMs = this.#openMs
    if (!this.isHalfOpen) return { admitted: false, state: 'open', retryAfterMs: this.#openedAt + openMs - now }
    // A probe whose end was never recorded must not shut the plugin off for good.
    if (this.#probingSince !== undefined && now - this.#probingSince < openMs) {
      return { admitted: false, state: 'half_open', retryAfterMs: this.#probingSince + openMs - now }
    }
    this.#probingSince = now
    return { admitted: true }
  }

  /** The probe came to nothing that says anything: the next to ask is one. */
  again(): void {
    this.#probingSince = undefined
  }
}
