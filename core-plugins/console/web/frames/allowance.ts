/** So many times within so many milliseconds, and not once more. */
export class Allowance {
  readonly #most: number
  readonly #milliseconds: number
  readonly #taken: number[] = []

  constructor(most: number, milliseconds: number) {
    this.#most = most
    this.#milliseconds = milliseconds
  }

  /** Takes one; whether there was one left. */
  take(now = Date.now()): boolean {
    while (this.#taken.length > 0 && (this.#taken[0] as number) <= now - this.#milliseconds) this.#taken.shift()
    if (this.#taken.length >= this.#most) return false
    this.#taken.push(now)
    return true
  }
}
