/** Something that ends at a time, which moves. */
export interface Timed {
  /** Of `performance.now()`; read when its tick comes. */
  readonly deadline: number
  readonly isOver: boolean
  /** The tick that it waits in; the wheel's own. */
  tick: number
  expire(): void
}

const tickMs = 100
/** A power of two: what ends later than in so many ticks is looked at then. */
const slotCount = 1_024

/**
 * One timer for all that waits (G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels", 1987): each entry lies in the slot of its
 * tick and is looked at when that comes. A deadline that has moved on by then costs one more insertion, so moving it costs nothing.
 * Precise to a tick of 100 ms. Runs while there is something to wait for.
 */
export class TimerWheel implements Disposable {
  readonly #slots: Timed[][] = Array.from({ length: slotCount }, () => [])
  #at = 0
  #waiting = 0
  #timer: NodeJS.Timeout | undefined

  /** Begins to wait for an entry, or waits for one whose deadline became earlier. */
  add(entry: Timed): void {
    if (this.#timer === undefined) {
      this.#at = tickOf(performance.now())
      this.#timer = setInterval(() => this.#turn(), tickMs).unref()
    }
    const wanted = Number.isFinite(entry.deadline) ? Math.ceil(entry.deadline / tickMs) : Infinity
    entry.tick = Math.min(Math.max(wanted, this.#at + 1), this.#at + slotCount - 1)
    this.#slots[entry.tick % slotCount]?.push(entry)
    this.#waiting += 1
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const slot of this.#slots) slot.length = 0
    this.#waiting = 0
  }

  #turn(): void {
    const now = performance.now()
    // A process that stood still for longer than a round looks at every slot once.
    const last = tickOf(now)
    for (let left = Math.min(last - this.#at, slotCount); left > 0; left--) this.#look(last - left + 1, now)
    this.#at = last
    if (this.#waiting > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(tick: number, now: number): void {
    this.#at = tick
    const slot = this.#slots[tick % slotCount]
    if (!slot || slot.length === 0) return
    this.#slots[tick % slotCount] = []
    this.#waiting -= slot.length
    for (const entry of slot) {
      // One that was put into an earlier slot since was looked at there.
      if (entry.isOver || entry.tick > tick || entry.tick + slotCount <= tick) continue
      if (entry.deadline <= now) entry.expire()
      else this.add(entry)
    }
  }
}

function tickOf(moment: number): number {
  return Math.floor(moment / tickMs)
}
