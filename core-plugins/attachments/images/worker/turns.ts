import { ImageOverloadedError } from '../errors.ts'

const waitingLimit = 32

/** Lets few images be made at once and few wait, or a flood of requests would take every core. */
export class Turns {
  #running = 0
  readonly #waiting = new Set<() => void>()

  /** Works in its turn; throws 503/5033 when too many wait, and the signal's reason when nobody wants it any more before its turn. */
  async run<T>(atOnce: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running >= atOnce && this.#waiting.size >= waitingLimit) {
      throw new ImageOverloadedError({ headers: { 'retry-after': '1' } })
    }
    if (this.#running >= atOnce) await this.#wait(signal)
    else this.#running += 1
    try {
      return await work()
    } finally {
      this.#next(atOnce)
    }
  }

  /** Whoever is next takes over the place, unless there are more places taken than there are by now. */
  #next(atOnce: number): void {
    const [next] = this.#running <= atOnce ? this.#waiting : []
    if (next) next()
    else this.#running -= 1
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(enter)
        reject(signal.reason as Error)
      }
      if (signal.aborted) return leave()
      this.#waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
