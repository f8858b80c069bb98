const periodMs = 100
/** Less than that is the usual unpunctuality of timers. */
const unnoticedMs = 200
const mostGaps = 100

interface Gap {
  readonly end: number
  readonly milliseconds: number
}

/** Notices when this process was stopped, starved or busy with itself: what it measured meanwhile says nothing of others. */
export class LostTime implements Disposable {
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  readonly #gaps: Gap[] = []
  #lookedAt: number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#lookedAt = now()
    this.#timer = setInterval(() => this.#look(), periodMs).unref()
  }

  /** How many milliseconds since then nothing was done here. */
  since(start: number): number {
    // Timers that are due after a pause come in no order: whoever asks may be the first.
    this.#look()
    return this.#gaps.reduce(
      (lost, { end, milliseconds }) => lost + Math.max(0, Math.min(milliseconds, end - start)),
      0,
    )
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const end = this.#now()
    const milliseconds = end - this.#lookedAt - periodMs
    this.#lookedAt = end
    if (milliseconds <= unnoticedMs) return
    this.#gaps.push({ end, milliseconds })
    if (this.#gaps.length > mostGaps) this.#gaps.shift()
  }
}
