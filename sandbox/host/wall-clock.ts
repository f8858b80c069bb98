import type { GuestCall } from './guest-call.ts'

/** How late a call may learn that its time is over. */
const PERIOD_MS = 20

/** The time that calls have from their turn to their end. One timer looks after all: every timer of its own costs a small call too much. */
export class WallClock {
  readonly #deadlines = new Map<GuestCall, number>()
  readonly #expire: (call: GuestCall) => void
  #timer: NodeJS.Timeout | undefined

  constructor(expire: (call: GuestCall) => void) {
    this.#expire = expire
  }

  start(call: GuestCall, milliseconds: number): void {
    this.#deadlines.set(call, performance.now() + milliseconds)
    this.#timer ??= setInterval(() => this.#look(), PERIOD_MS)
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
    const now = performance.now()
    for (const [call, deadline] of this.#deadlines) if (now >= deadline) this.#expire(call)
  }
}
