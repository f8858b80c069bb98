/** Transactions that publish on this host at once: the pool has ten connections, and most are for others. */
const most = 3

/**
 * Lets one transaction at a time publish for each key, and few in all; keys take turns. Those of one plugin and tenant wait for one
 * another in the database anyhow, and would wait there with a connection each.
 */
export class PublishTurns {
  readonly #running = new Set<string>()
  /** The key whose turn is longest ago comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Runs the work when it is its turn. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(key) ?? []
    waiting.push(turn.resolve)
    this.#waiting.set(key, waiting)
    this.#next()
    await turn.promise
    try {
      return await work()
    } finally {
      this.#running.delete(key)
      this.#next()
    }
  }

  #next(): void {
    for (const [key, waiting] of this.#waiting) {
      if (this.#running.size >= most) return
      if (this.#running.has(key)) continue
      this.#running.add(key)
      this.#waiting.delete(key)
      waiting.shift()?.()
      if (waiting.length > 0) this.#waiting.set(key, waiting)
    }
  }
}
