import type { GuestCall } from './guest-call.ts'

/** Below that the clock of the process is not exact, and above it nobody waits so long. */
const most = 2_147_483_647

/** The timers of guest calls, each of which is gone with its call. */
export class Timers {
  readonly #running = new Map<GuestCall, Set<NodeJS.Timeout>>()
  readonly #isOver: (call: GuestCall, number: number) => void

  constructor(isOver: (call: GuestCall, number: number) => void) {
    this.#isOver = isOver
  }

  /** Begins one; false where a call has more than it may. */
  start(call: GuestCall, number: number, milliseconds: number): boolean {
    const own = this.#running.get(call) ?? new Set()
    this.#running.set(call, own)
    if (own.size >= call.header.limits.hostCalls) return false
    const pause = milliseconds >= 0 ? Math.min(milliseconds, most) : 0
    const timer = setTimeout(() => {
      own.delete(timer)
      this.#isOver(call, number)
    }, pause)
    own.add(timer)
    return true
  }

  /** The call has ended. */
  close(call: GuestCall): void {
    for (const timer of this.#running.get(call) ?? []) clearTimeout(timer)
    this.#running.delete(call)
  }
}
