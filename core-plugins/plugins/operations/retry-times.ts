const FIRST_MILLISECONDS = 5_000
const LONGEST_MILLISECONDS = 5 * 60_000

/** When what failed is worth another attempt: twice as late each time. */
export class RetryTimes {
  readonly #failed = new Map<string, { readonly wait: number; readonly at: number }>()

  /** Whether to try now; what never failed is always due. */
  isDue(id: string): boolean {
    return (this.#failed.get(id)?.at ?? 0) <= Date.now()
  }

  failed(id: string): void {
    const wait = Math.min((this.#failed.get(id)?.wait ?? FIRST_MILLISECONDS / 2) * 2, LONGEST_MILLISECONDS)
    this.#failed.set(id, { wait, at: Date.now() + wait })
  }

  ended(id: string): void {
    this.#failed.delete(id)
  }
}
