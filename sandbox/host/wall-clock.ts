import type { GuestCall } from './guest-call.ts'

/** How late a call may learn that its time is over, twice: time is told once in a period. */
const periodMs = 10
/** When it was kept from running for longer than that, the process was stopped or starved, and its calls with it. */
const lateMs = 200

interface Deadline {
  at: number
  /** How much further it may be put off: a call gets at most its time once more. */
  credit: number
}

/**
 * The time that calls have from their turn to their end; time in which this process could not run is not counted, while what
 * its thread was busy with is: guests keep it busy, with digests for one. One timer looks after all: every timer of its own
 * costs a small call too much.
 */
export class WallClock {
  readonly #deadlines = new Map<GuestCall, Deadline>()
  readonly #expire: (call: GuestCall) => void
  readonly #onLost: (milliseconds: number) => void
  #timer: NodeJS.Timeout | undefined
  #now = 0
  /** What this thread had run by then. */
  #ran: NodeJS.CpuUsage = { user: 0, system: 0 }

  constructor(expire: (call: GuestCall) => void, onLost: (milliseconds: number) => void) {
    this.#expire = expire
    this.#onLost = onLost
  }

  start(call: GuestCall, milliseconds: number): void {
    if (!this.#timer) {
      this.#now = performance.now()
      this.#ran = process.threadCpuUsage()
      this.#timer = setInterval(() => this.#look(), periodMs)
    }
    this.#deadlines.set(call, { at: this.#now + periodMs + milliseconds, credit: milliseconds })
  }

  /** What a call has left. */
  leftMs(call: GuestCall): number {
    return (this.#deadlines.get(call)?.at ?? 0) - performance.now()
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
    const late = now - this.#now - periodMs
    this.#now = now
    const lost = late - this.#ranMs()
    if (lost > lateMs) this.#putOff(lost)
    for (const [call, { at }] of this.#deadlines) if (now >= at) this.#expire(call)
  }

  /** What this thread ran since the last look. */
  #ranMs(): number {
    const { user, system } = this.#ran
    this.#ran = process.threadCpuUsage()
    return (this.#ran.user + this.#ran.system - user - system) / 1_000
  }

  #putOff(lost: number): void {
    for (const deadline of this.#deadlines.values()) {
      const more = Math.min(lost, deadline.credit)
      deadline.at += more
      deadline.credit -= more
    }
    this.#onLost(lost)
  }
}
