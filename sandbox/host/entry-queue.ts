import type { GuestCall } from './guest-call.ts'
import type { Watch } from './watch.ts'

/** The call has no CPU time left for another entry. */
export class CpuSpentError extends Error {}

/** Entries handed to the isolate's thread at once: it runs them in order, and does not sleep between two. */
const DEPTH = 4

/** One way into an isolate on the account of a call. */
export interface Entry {
  readonly call: GuestCall
  /** Work of several steps, with nobody else inside. */
  readonly isAlone: boolean
  /** Enters, bounded by what the call has left; not called when the call has ended by then. */
  run(timeoutMs: number): Promise<void>
  /** Called once it is out again. */
  left(): void
  /** Called instead when it came out with an error. */
  failed(error: unknown): void
}

interface Entered {
  readonly entry: Entry
  readonly timeoutMs: number
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
  readonly #inside: Entered[] = []
  #charged = 0n
  #chargedAt = 0

  constructor(cpuTime: () => bigint | undefined, watch: Watch) {
    this.#cpuTime = cpuTime
    this.#watch = watch
  }

  /** Runs an entry when its turn comes. */
  enter(entry: Entry): void {
    if (this.#waiting.length === 0 && this.#hasRoomFor(entry)) return this.#start(entry)
    this.#waiting.push(entry)
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoomFor(next); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#start(next)
    }
  }

  #hasRoomFor(entry: Entry): boolean {
    if (this.#inside.length === 0) return true
    return this.#inside.length < DEPTH && !entry.isAlone && !this.#inside[0]?.entry.isAlone
  }

  #start(entry: Entry): void {
    const { call } = entry
    if (call.isOver) return entry.left()
    const timeoutMs = call.cpuLeftMs
    if (timeoutMs <= 0) return entry.failed(new CpuSpentError())
    if (this.#inside.length === 0) {
      const now = performance.now()
      this.#charge(now)
      this.#watch.started(call, timeoutMs, now)
    }
    const entered = { entry, timeoutMs }
    this.#inside.push(entered)
    run(entry, timeoutMs).then(
      () => {
        this.#leave(entered)
        entry.left()
        this.#admit()
      },
      (error: unknown) => {
        this.#leave(entered)
        entry.failed(error)
        this.#admit()
      },
    )
  }

  #leave(entered: Entered): void {
    const now = performance.now()
    const { call } = entered.entry
    call.cpuNanoseconds += this.#charge(now)
    if (this.#inside[0] !== entered) {
      this.#inside.splice(this.#inside.indexOf(entered), 1)
      return
    }
    this.#inside.shift()
    this.#watch.ended(call)
    const [next] = this.#inside
    if (next) this.#watch.started(next.entry.call, next.timeoutMs, now)
  }

  /** What was spent since the last time; the time that passed, when the isolate died of it. */
  #charge(now: number): bigint {
    const total = this.#cpuTime() ?? this.#charged + BigInt(Math.round((now - this.#chargedAt) * 1e6))
    const spent = total - this.#charged
    this.#charged = total
    this.#chargedAt = now
    return spent
  }
}

/** An isolate that is dead by now refuses at once. */
function run(entry: Entry, timeoutMs: number): Promise<void> {
  try {
    return entry.run(timeoutMs)
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)))
  }
}
