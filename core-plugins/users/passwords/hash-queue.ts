import { OverloadedError } from '../errors.ts'

const runningLimit = 4
const waitingLimit = 64

/** Lets few hashes run at once: each takes 19 MB and a core, and a flood of sign-ins must not take the machine. */
export class HashQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Runs work in its turn; throws 503/5033 when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= runningLimit) {
      if (this.#waiting.length >= waitingLimit) throw new OverloadedError({ headers: { 'retry-after': '1' } })
      // Whoever finishes hands over the place, so the count does not change in between.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
