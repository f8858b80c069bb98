import { EgressError } from '#kernel'

/** The time that a call of the service may take as a whole, tries and pauses together; it stands still while a body moves. */
export class CallClock {
  /** Aborted when the time is over, or nobody waits any more. */
  readonly signal: AbortSignal
  readonly #over = new AbortController()
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(wholeMs: number, signal: AbortSignal | undefined) {
    this.#leftMs = wholeMs
    this.signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal
    this.go()
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  hold(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs -= performance.now() - this.#startedAt
  }

  go(): void {
    if (this.#isStopped || this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(() => this.#over.abort(tooLate()), Math.max(this.#leftMs, 0))
  }

  /** For good: what is still to come is judged by its pieces alone. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}

/** Says that the whole time is over. */
export function tooLate(cause?: unknown): EgressError {
  return new EgressError('timeout', 'no whole answer came in time', cause)
}
