import type { GuestCall } from './guest-call.ts'
import type { Watch } from './watch.ts'

/** The call has no CPU time left for another entry. */
export class CpuSpentError extends Error {}

/** Entries handed to the isolate's thread at once: it runs them in order, and does not sleep between two. */
const DEPTH = 4

interface Entry {
  readonly call: GuestCall
  readonly isAlone: boolean
  readonly run: (timeoutMs: number) => Promise<void>
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
  timeoutMs: number
}

/**
 * Lets calls into one isolate in order, so that the CPU time which passed belongs to the one that came out. When several
 * come out before this thread looks, the first is charged for them: microseconds, since this thread never blocks.
 */
export class EntryQueue {
  /** Of a dead isolate nothing can be read any more. */
  readonly #cpuTime: () => bigint | undefined
  readonly #watch: Watch
  readonly #waiting: Entry[] = []
  /** The first of them is the one that runs. */
  readonly #inside: Entry[] = []
  #charged = 0n
  #chargedAt = 0

  constructor(cpuTime: () => bigint | undefined, watch: Watch) {
    this.#cpuTime = cpuTime
    this.#watch = watch
  }

  /** Runs an entry when its turn comes, bounded by what the call has left; skipped when the call has ended by then. */
  enter(call: GuestCall, run: (timeoutMs: number) => Promise<void>): Promise<void> {
    return this.#add(call, run, false)
  }

  /** Runs work of several steps, with nobody else inside. */
  enterAlone(call: GuestCall, run: (timeoutMs: number) => Promise<void>): Promise<void> {
    return this.#add(call, run, true)
  }

  #add(call: GuestCall, run: (timeoutMs: number) => Promise<void>, isAlone: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, isAlone, run, resolve, reject, timeoutMs: 0 })
      this.#admit()
    })
  }

  #admit(): void {
    while (this.#waiting[0] && this.#hasRoomFor(this.#waiting[0])) {
      const entry = this.#waiting.shift()
      if (entry) this.#start(entry)
    }
  }

  #hasRoomFor(entry: Entry): boolean {
    if (this.#inside.length === 0) return true
    return this.#inside.length < DEPTH && !entry.isAlone && !this.#inside[0]?.isAlone
  }

  #start(entry: Entry): void {
    if (entry.call.isOver) return entry.resolve()
    entry.timeoutMs = entry.call.cpuLeftMs
    if (entry.timeoutMs <= 0) return entry.reject(new CpuSpentError())
    if (this.#inside.length === 0) {
      this.#charge()
      this.#watch.started(entry.call, entry.timeoutMs)
    }
    this.#inside.push(entry)
    entry.run(entry.timeoutMs).then(
      () => {
        this.#leave(entry)
        entry.resolve()
      },
      (error: unknown) => {
        this.#leave(entry)
        entry.reject(error)
      },
    )
  }

  #leave(entry: Entry): void {
    entry.call.cpuNanoseconds += this.#charge()
    const wasFirst = this.#inside[0] === entry
    this.#inside.splice(this.#inside.indexOf(entry), 1)
    if (wasFirst) {
      this.#watch.ended(entry.call)
      const [next] = this.#inside
      if (next) this.#watch.started(next.call, next.timeoutMs)
    }
    this.#admit()
  }

  /** What was spent since the last time; the time that passed, when the isolate died of it. */
  #charge(): bigint {
    const now = performance.now()
    const total = this.#cpuTime() ?? this.#charged + BigInt(Math.round((now - this.#chargedAt) * 1e6))
    const spent = total - this.#charged
    this.#charged = total
    this.#chargedAt = now
    return spent
  }
}
