/** Failures in a row after which a captcha is not offered, and for how long. */
const MOST_FAILURES = 3
const PAUSE_MS = 60_000

/**
 * Gives a captcha up for a minute after three failures in a row: the plugin's own breaker counts shares of many calls, and
 * where few people sign in each of them would be locked out meanwhile.
 */
export class CaptchaPatience {
  #failures = 0
  #pausedUntil = 0

  get isOver(): boolean {
    return Date.now() < this.#pausedUntil
  }

  /** Passes on what the work gives or throws, and counts it. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work()
      this.#failures = 0
      return value
    } catch (error) {
      this.#failures += 1
      // The first one after a pause ends the patience again.
      if (this.#failures >= MOST_FAILURES) this.#pausedUntil = Date.now() + PAUSE_MS
      throw error
    }
  }
}
