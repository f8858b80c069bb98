import type { HostIndex, Ledger } from './ledger.ts'
import type { Work } from './work/work.ts'

/** Callers that go on whatever breaks. */
export class Load {
  #isOver = false
  readonly #callers: Promise<void>[] = []

  /** Starts them. */
  constructor(works: readonly Work[], ledger: Ledger) {
    for (const work of works) {
      if (work.callers === 0) this.#callers.push(this.#call(work, ledger, (count) => (count % 2 === 0 ? 0 : 1)))
      for (const host of [0, 1] as const) {
        for (let caller = 0; caller < work.callers; caller++) this.#callers.push(this.#call(work, ledger, () => host))
      }
    }
  }

  /** Resolves when the last of them has been answered. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  async #call(work: Work, ledger: Ledger, hostOf: (count: number) => HostIndex): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const next = Date.now() + work.everyMs
      await work
        .step(hostOf(count))
        .catch((error: unknown) => ledger.fault(`${work.name} cannot go on: ${String(error)}`))
      while (!this.#isOver && Date.now() < next) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
