import { setTimeout as after } from 'node:timers/promises'
import { OutageLog, type Logger } from '#kernel'
import type { HoldStore, SettledBucket, Settlement } from './hold-store.ts'

const batch = 100
const longestPauseMs = 5_000
/** What a host that stops still tries; then another host settles by what was kept of the request. */
const farewellMs = 5_000

/** What the queue works with. */
interface SettleParts {
  readonly store: Pick<HoldStore, 'settle'>
  readonly log: Logger
  /** Hears of buckets that changed. */
  readonly settled: (buckets: readonly SettledBucket[]) => void
}

/** Settles off the way of the answer: together what came meanwhile, again and again until it is written. */
export class SettleQueue implements AsyncDisposable {
  readonly #parts: SettleParts
  readonly #outage: OutageLog
  #waiting: Settlement[] = []
  #running: Promise<void> | undefined
  #isClosing = false

  constructor(parts: SettleParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'usage cannot be written at the moment')
  }

  /** Takes a settlement in. */
  add(settlement: Settlement): void {
    this.#waiting.push(settlement)
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  /** Resolves when all that was taken in is written. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await Promise.race([this.drain(), after(farewellMs, undefined, { ref: false })])
    this.#waiting = []
  }

  async #run(): Promise<void> {
    let pause = 0
    while (this.#waiting.length > 0) {
      // What comes in this turn of the loop goes along.
      await after(pause)
      const taken = this.#waiting.splice(0, batch)
      if (taken.length === 0) return
      const isWritten = await this.#write(taken)
      pause = isWritten ? 0 : Math.min(longestPauseMs, Math.max(50, pause * 2))
    }
  }

  async #write(taken: readonly Settlement[]): Promise<boolean> {
    const failed = await this.#tryAll(taken)
    this.#waiting.unshift(...failed)
    return failed.length === 0
  }

  /** One that cannot be written holds up nobody: after a failure each goes by itself. */
  async #tryAll(taken: readonly Settlement[]): Promise<readonly Settlement[]> {
    if (await this.#try(taken)) return []
    if (taken.length === 1 || this.#isClosing) return taken
    const failed: Settlement[] = []
    for (const settlement of taken) if (!(await this.#try([settlement]))) failed.push(settlement)
    return failed
  }

  async #try(settlements: readonly Settlement[]): Promise<boolean> {
    let isWritten = false
    await this.#outage.watch(async () => {
      this.#parts.settled(await this.#parts.store.settle(settlements))
      isWritten = true
    })
    return isWritten
  }
}
