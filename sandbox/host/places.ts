import { availableParallelism } from 'node:os'

/** So many isolates run at once on a small machine, and so many on a large one. */
const LEAST = 4
const MOST = 8

/** How many isolates run at once here: one more than the machine runs threads, which is what the engine keeps. */
export function countPlaces(): number {
  return Math.max(LEAST, Math.min(availableParallelism() + 1, MOST))
}

/**
 * The isolates of this process that run at once: each needs a thread, whose stack and arena count under the cap on memory.
 * The others wait in a line, and come in turn.
 */
export class Places {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Whether there is a place now; if not, the function is called when there is one, which is then the caller's. */
  take(come: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.add(come)
      return false
    }
    this.#free--
    return true
  }

  /** Gives a place to the next in line. */
  leave(): void {
    const [next] = this.#waiting
    if (!next) return void this.#free++
    this.#waiting.delete(next)
    next()
  }

  /** Somebody waits: who has a place should not stay in it. */
  get isWanted(): boolean {
    return this.#waiting.size > 0
  }
}
