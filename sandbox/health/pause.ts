/** What the one call has that goes in to see how a plugin is after a pause; whoever has none proves nothing about it. */
export interface Probe {
  readonly of: Pause
}

/** Whether a call may go in, and if not, when it is worth asking again. */
export type Admittance =
  | { readonly admitted: true; readonly probe?: Probe }
  | { readonly admitted: false; readonly state: 'open' | 'half_open' | 'quarantined'; readonly retryAfterMs: number }

/** A time in which no call goes in, and after it one at a time, to see. */
export class Pause {
  readonly #openMs: number
  readonly #now: () => number
  readonly #openedAt: number
  #probe: Probe | undefined

  constructor(openMs: number, now: () => number) {
    this.#openMs = openMs
    this.#now = now
    this.#openedAt = now()
  }

  /** Whether a call may go in to see. */
  get isHalfOpen(): boolean {
    return this.#now() - this.#openedAt >= this.#openMs
  }

  /** The first to ask when the time is over is the probe, and nobody else until that has ended. */
  admit(): Admittance {
    const openMs = this.#openMs
    if (!this.isHalfOpen) return { admitted: false, state: 'open', retryAfterMs: this.#openedAt + openMs - this.#now() }
    if (this.#probe) return { admitted: false, state: 'half_open', retryAfterMs: openMs }
    this.#probe = { of: this }
    return { admitted: true, probe: this.#probe }
  }

  /** Whether a call is the one that was let in to see. */
  isProbe(probe: Probe | undefined): boolean {
    return probe !== undefined && probe === this.#probe
  }

  /** The probe came to nothing that says anything: the next to ask is one. A call that went in before gives nothing back. */
  again(probe: Probe | undefined): void {
    if (this.isProbe(probe)) this.#probe = undefined
  }
}
