import { CaptchaOverloadedError } from '../errors.ts'

const runningLimit = 2
const waitingLimit = 64

/** Lets few images be drawn at once, or a flood of challenges would take every core. */
export class DrawingQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Draws in its turn; throws 503/5033 when too many wait. */
  async run<T>(draw: () => Promise<T>): Promise<T> {
    if (this.#running < runningLimit) this.#running += 1
    else await this.#turn()
    try {
      return await draw()
    } finally {
      const next = this.#waiting.shift()
      // Whoever is next takes over the place, so the count stays.
      if (next) next()
      else this.#running -= 1
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= waitingLimit) throw new CaptchaOverloadedError({ headers: { 'retry-after': '1' } })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
