import type { GuestCall } from './guest-call.ts'
import type { Watch } from './watch.ts'

/** The call has no CPU time left for another entry. */
export class CpuSpentError extends Error {}

interface Entry {
  readonly call: GuestCall
  readonly run: (timeoutMs: number) => Promise<void>
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** Lets calls into one isolate one at a time, so that the CPU time that passes belongs to the one that is inside. */
export class EntryQueue {
  readonly #cpuTime: () => bigint
  readonly #watch: Watch
  #waiting: Entry[] = []
  #isWorking = false

  constructor(cpuTime: () => bigint, watch: Watch) {
    this.#cpuTime = cpuTime
    this.#watch = watch
  }

  /** Runs an entry when its turn comes, bounded by what the call has left; skipped when the call has ended by then. */
  enter(call: GuestCall, run: (timeoutMs: number) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, run, resolve, reject })
      if (!this.#isWorking) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let entry = this.#waiting.shift(); entry; entry = this.#waiting.shift()) {
      if (entry.call.isOver) entry.resolve()
      else await this.#run(entry)
    }
    this.#isWorking = false
  }

  async #run({ call, run, resolve, reject }: Entry): Promise<void> {
    const timeoutMs = call.cpuLeftMs
    if (timeoutMs <= 0) return reject(new CpuSpentError())
    const before = this.#cpuTime()
    this.#watch.started(call, timeoutMs)
    try {
      await run(timeoutMs)
      call.cpuNanoseconds += this.#cpuTime() - before
      resolve()
    } catch (error) {
      call.cpuNanoseconds += this.#cpuTime() - before
      reject(error)
    } finally {
      this.#watch.ended(call)
    }
  }
}
