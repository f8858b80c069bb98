const tickMs = 250

interface Wait {
  left: number
  readonly expire: () => void
}

/**
 * Bounds waits by the time in which this process ran: a timer of the clock is due at once after the process was stopped, starved or
 * busy with itself, before the answer is read that came meanwhile, and takes its own pause for the other side's silence.
 */
export class OwnTime implements Disposable {
  readonly #waits = new Set<Wait>()
  #timer: NodeJS.Timeout | undefined

  /** What work comes to; calls back when so much time was spent waiting for it, to end it. */
  async limit<T>(work: Promise<T>, milliseconds: number, expire: () => void): Promise<T> {
    const wait = { left: milliseconds, expire }
    this.#waits.add(wait)
    this.#timer ??= setInterval(() => this.#look(), tickMs).unref()
    return work.finally(() => this.#waits.delete(wait))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#waits.clear()
  }

  #look(): void {
    if (this.#waits.size === 0) return this[Symbol.dispose]()
    for (const wait of this.#waits) {
      wait.left -= tickMs
      // An answer may have come just before: it is taken first.
      if (wait.left <= 0) setImmediate(() => this.#waits.delete(wait) && wait.expire())
    }
  }
}
