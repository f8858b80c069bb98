/** Counts what a client sends in a sliding window; it keeps no more times than are allowed. */
export class FrameRate {
  readonly #most: number
  readonly #milliseconds: number
  readonly #times: number[] = []

  constructor(most: number, milliseconds: number) {
    this.#most = most
    this.#milliseconds = milliseconds
  }

  /** Whether one more is allowed. */
  allows(now: number): boolean {
    const { length } = this.#times
    if (length >= this.#most && (this.#times[0] as number) > now - this.#milliseconds) return false
    if (length >= this.#most) this.#times.shift()
    this.#times.push(now)
    return true
  }
}
