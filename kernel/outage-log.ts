import type { Logger } from './log.ts'

/** Tells of what fails again and again: once when that begins, and once when it is over. */
export class OutageLog {
  readonly #log: Logger
  readonly #what: string
  #failures = 0
  #since = 0

  constructor(log: Logger, what: string) {
    this.#log = log
    this.#what = what
  }

  /** It failed. */
  failed(error: unknown): void {
    if (this.#failures++ > 0) return
    this.#since = Date.now()
    this.#log.error({ err: error }, this.#what)
  }

  /** It did not fail. */
  worked(): void {
    if (this.#failures > 1) {
      const fields = { failures: this.#failures, milliseconds: Date.now() - this.#since }
      this.#log.info(fields, `over: ${this.#what}`)
    }
    this.#failures = 0
  }

  /** Does it, and tells of it. */
  async watch(work: () => unknown): Promise<void> {
    try {
      await work()
      this.worked()
    } catch (error) {
      this.failed(error)
    }
  }
}
