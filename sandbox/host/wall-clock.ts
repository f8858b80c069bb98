import type { GuestCall } from './guest-call.ts'

/** How late a call may learn that its time is over, twice: time is told once in a period. */
const PERIOD_MS = 10

/** The time that calls have from their turn to their end. One timer looks after all: every timer of its own costs a small call too much. */
export class WallClock {
  readonly #deadlines = new Map<GuestCall, number>()
  readonly #expire: (call: GuestCall) => void
  #timer: NodeJS.Timeout | undefined
  #now = 0

  constructor(expire: (call: GuestCall) => void) {
    this.#expire = expire
  }

  start(call: GuestCall, milliseconds: number): void {
    if (!this.#timer) {
      this.#now = performance.now()
      this.#timer = setInterval(() => this.#look(), PERIOD_MS)
    }
    this.#deadlines.set(call, this.#now + PERIOD_MS + milliseconds)
  }

  stop(call: GuestCall): void {
    this.#deadlines.delete(call)
  }

  #look(): void {
    if (this.#deadlines.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    this.#now = performance.now()
    for (const [call, deadline] of this.#deadlines) if (this.#now >= deadline) this.#expire(call)
  }
}
