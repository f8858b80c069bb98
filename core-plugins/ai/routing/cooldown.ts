const maxMs = 60_000

/** Leaves a target alone for as long as it asks for with 429; a shorter wish never shortens a longer one. */
export class Cooldown {
  #until = 0
  #inARow = 0
  #triedOf = 0

  get until(): number {
    return this.#until
  }

  /** What the provider asked for, or a second, two, four … where it did not say; a minute at most. Answers the end. */
  refused(now: number, retryAfterMs: number | undefined): number {
    const wished = retryAfterMs ?? 1_000 * 2 ** Math.min(this.#inARow, 10)
    this.#inARow++
    return this.extend(now + Math.min(Math.max(wished, 0), maxMs))
  }

  /** Makes it last until then at least. */
  extend(until: number): number {
    this.#until = Math.max(this.#until, until)
    return this.#until
  }

  /** The target has answered. */
  answered(): void {
    this.#inARow = 0
  }

  /** Whether a panic may send one request before it is over: once in each. */
  get admitsEarly(): boolean {
    return this.#triedOf !== this.#until
  }

  /** A panic sends it. */
  tryEarly(): void {
    this.#triedOf = this.#until
  }

  /** A person ends it. */
  clear(): void {
    this.#until = 0
    this.#inARow = 0
  }
}
