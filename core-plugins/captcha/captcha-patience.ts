/** Failures in a row after which a captcha is not offered, and for how long. */
const mostFailures = 3
const pauseMs = 60_000

interface Failing {
  readonly failures: number
  readonly pausedUntil: number
}

/**
 * Gives a captcha up for a minute after three failures in a row: the plugin's own breaker counts shares of many calls, and
 * where few people sign in each of them would be locked out meanwhile. Each tenant has its own: who makes a captcha fail at one
 * changes nothing at another.
 */
export class CaptchaPatience {
  /** Tenants at which the latest call failed. */
  readonly #failing = new Map<number, Failing>()

  /** Whether the captcha is not offered to a tenant now. */
  isOver(tenantId: number): boolean {
    return Date.now() < (this.#failing.get(tenantId)?.pausedUntil ?? 0)
  }

  /** Passes on what the work gives or throws, and counts it. */
  async watch<T>(tenantId: number, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work()
      this.#failing.delete(tenantId)
      return value
    } catch (error) {
      const failures = (this.#failing.get(tenantId)?.failures ?? 0) + 1
      // The first one after a pause ends the patience again.
      this.#failing.set(tenantId, { failures, pausedUntil: failures >= mostFailures ? Date.now() + pauseMs : 0 })
      throw error
    }
  }
}
