import type { GuestCall } from './guest-call.ts'

/** How often running entries and the memory are looked at, while there are any. */
const PERIOD_MS = 50
/** How long past its timeout an entry may take to notice; a built-in that does not look never will. */
const GRACE_MS = 200

/** Why a sandbox host has to be killed: a thread that cannot be stopped, or memory that cannot be bounded in here. */
export type Alarm = 'cpu' | 'memory'

/** Looks after the entries that run now. What it finds cannot be mended in this process: the supervisor kills it. */
export class Watch {
  readonly #running = new Map<GuestCall, number>()
  readonly #alarm: (alarm: Alarm, calls: readonly GuestCall[]) => void
  readonly #maxRss: number
  readonly #crowdedRss: number
  #timer: NodeJS.Timeout | undefined

  /** The memory that may be added to what the process has now. */
  constructor(memoryBytes: number, alarm: (alarm: Alarm, calls: readonly GuestCall[]) => void) {
    const base = process.memoryUsage.rss()
    this.#maxRss = base + memoryBytes
    this.#crowdedRss = base + memoryBytes / 2
    this.#alarm = alarm
  }

  /** Half of the memory is in use: time to let go of what nobody uses, before somebody innocent meets the end of it. */
  get isCrowded(): boolean {
    return process.memoryUsage.rss() > this.#crowdedRss
  }

  started(call: GuestCall, timeoutMs: number, now: number): void {
    this.#running.set(call, now + timeoutMs + GRACE_MS)
    this.#timer ??= setInterval(() => this.#look(), PERIOD_MS)
  }

  ended(call: GuestCall): void {
    this.#running.delete(call)
  }

  #look(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    const stuck = [...this.#running].filter(([, deadline]) => now > deadline).map(([call]) => call)
    if (stuck.length > 0) this.#alarm('cpu', stuck)
    else if (process.memoryUsage.rss() > this.#maxRss) this.#alarm('memory', [...this.#running.keys()])
  }
}
