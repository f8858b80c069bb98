const firstMilliseconds = 5_000
const longestMilliseconds = 5 * 60_000
const longestWaitingMilliseconds = 30_000

/** When what failed is worth another attempt: twice as late each time. */
export class RetryTimes {
  readonly #failed = new Map<string, { readonly wait: number; readonly at: number }>()

  /** Whether to try now; what never failed is always due. */
  isDue(id: string): boolean {
    return (this.#failed.get(id)?.at ?? 0) <= Date.now()
  }

  /** One that waits for a host to be well again is tried at least as often as the host tries itself. */
  failed(id: string, { isWaiting = false }: { readonly isWaiting?: boolean } = {}): void {
    const longest = isWaiting ? longestWaitingMilliseconds : longestMilliseconds
    const wait = Math.min((this.#failed.get(id)?.wait ?? firstMilliseconds / 2) * 2, longest)
    this.#failed.set(id, { wait, at: Date.now() + wait })
  }

  ended(id: string): void {
    this.#failed.delete(id)
  }
}
