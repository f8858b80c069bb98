import { ImageOverloadedError } from '../errors.ts'

const waitingLimit = 32

interface Waiter {
  readonly places: number
  readonly enter: () => void
}

/** Lets few images be made at once and few wait, or a flood of requests would take every core and all memory. */
export class Turns {
  #taken = 0
  /** As whoever came last said. */
  #atOnce = 1
  readonly #waiting = new Set<Waiter>()

  /**
   * Works in its turn, on one place or more of those that there are; throws 503/5033 when too many wait, and the signal's reason when nobody
   * wants it any more before its turn.
   */
  async run<T>(atOnce: number, work: () => Promise<T>, signal: AbortSignal, given = 1): Promise<T> {
    this.#atOnce = atOnce
    const places = Math.min(given, atOnce)
    // Nobody overtakes those who wait, or what takes several places would wait for ever.
    const mustWait = this.#waiting.size > 0 || this.#taken + places > atOnce
    if (mustWait && this.#waiting.size >= waitingLimit) {
      throw new ImageOverloadedError({ headers: { 'retry-after': '1' } })
    }
    if (mustWait) await this.#wait(places, signal)
    else this.#taken += places
    try {
      return await work()
    } finally {
      this.#taken -= places
      this.#admit()
    }
  }

  /** Those who are next, as far as there is room; alone whoever wants more than there is by now. */
  #admit(): void {
    for (const waiter of this.#waiting) {
      if (this.#taken > 0 && this.#taken + waiter.places > this.#atOnce) return
      this.#waiting.delete(waiter)
      this.#taken += waiter.places
      waiter.enter()
    }
  }

  #wait(places: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter)
        reject(signal.reason as Error)
        this.#admit()
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiter: Waiter = { places, enter }
      if (signal.aborted) return leave()
      this.#waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
      this.#admit()
    })
  }
}
