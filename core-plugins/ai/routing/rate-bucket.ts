/** Lets in so many units a minute, a whole minute's worth at once after a pause; may go into debt for what is known only later. */
export class RateBucket {
  readonly #now: () => number
  #level: number | undefined
  #at = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Milliseconds until so many units fit: 0 is now. What never fits in whole fits once the bucket is full. */
  wait(units: number, perMinute: number): number {
    const missing = Math.min(units, perMinute) - this.#fill(perMinute)
    return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / perMinute)
  }

  /** Takes units out; negative ones give back. */
  take(units: number, perMinute: number): void {
    this.#level = Math.min(this.#fill(perMinute) - units, perMinute)
  }

  #fill(perMinute: number): number {
    const now = this.#now()
    const before = this.#level ?? perMinute
    this.#level = Math.min(perMinute, before + (Math.max(0, now - this.#at) * perMinute) / 60_000)
    this.#at = now
    return this.#level
  }
}
