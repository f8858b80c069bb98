/** Lets so many run at once for each key; the others wait for their turn. */
export class Turns {
  readonly #most: number
  readonly #running = new Map<number, number>()
  readonly #waiting = new Map<number, Set<() => void>>()

  constructor(most: number) {
    this.#most = most
  }

  /** Runs the work when it is its turn; rejects with the signal's reason where that comes first, and nothing was done. */
  async take<T>(key: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#begin(key, signal)
    try {
      return await work()
    } finally {
      this.#end(key)
    }
  }

  async #begin(key: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const running = this.#running.get(key) ?? 0
    if (running < this.#most) return void this.#running.set(key, running + 1)
    const turn = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, waiting.add(turn.resolve))
    const giveUp = (): void => {
      // Whoever was called meanwhile has the turn, and gives it back.
      if (waiting.delete(turn.resolve)) turn.reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key)
    }
  }

  /** Hands the turn to who waits longest. */
  #end(key: number): void {
    const waiting = this.#waiting.get(key)
    for (const next of waiting ?? []) {
      waiting?.delete(next)
      return next()
    }
    const running = (this.#running.get(key) ?? 1) - 1
    if (running === 0) this.#running.delete(key)
    else this.#running.set(key, running)
  }
}
