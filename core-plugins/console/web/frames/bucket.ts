/** Gives out so much at once, and so much a second from then on. */
export class Bucket {
  readonly #burst: number
  readonly #perSecond: number
  #left: number
  #filledAt = performance.now()

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#left = burst
  }

  /** Takes so much; whether there was enough of it left. */
  take(amount: number): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
    if (this.#left < amount) return false
    this.#left -= amount
    return true
  }
}
