import { guestCpuMs } from './cpu-clock.ts'
import type { GuestCall } from './guest-call.ts'
import type { Place } from './places.ts'
import type { Watch } from './watch.ts'

/** The call has no CPU time left for another entry. */
export class CpuSpentError extends Error {}
/** The isolate died before the entry's turn came. */
class IsolateDeadError extends Error {}

/** Entries handed to the isolate's thread at once: it runs them in order, and does not sleep between two. */
const depth = 4
/** Below that the share of a processor that threads get is not believed. */
const leastRatio = 0.1

/** One way into an isolate on the account of a call. */
interface Entry {
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
  /** The CPU time after which the watch ends it, with its isolate. */
  readonly watchedMs: number
}

/** What an isolate's entries are let in by. */
export interface EntryRules {
  /** How long the isolate's thread was inside, by the clock; of a dead one nothing can be read any more. */
  readonly insideTime: () => bigint | undefined
  readonly isDead: () => boolean
  /** There are other calls in the isolate, which stopping it would end. */
  readonly isShared: () => boolean
  readonly watch: Watch
  readonly place: Place
  /** What is left of a call's clock. */
  readonly wallLeftMs: (call: GuestCall) => number
}

/**
 * Lets calls into one isolate in order, so that the CPU time which passed belongs to the one that came out. When several
 * come out before this thread looks, the first is charged for them: microseconds, since this thread never blocks.
 */
export class EntryQueue {
  readonly #rules: EntryRules
  readonly #waiting: Entry[] = []
  /** The first of them is the one that runs. */
  readonly #inside: Entered[] = []
  #place: 'none' | 'asked' | 'taken' = 'none'
  #counted = 0n

  constructor(rules: EntryRules) {
    this.#rules = rules
  }

  /** Runs an entry when its turn comes. */
  enter(entry: Entry): void {
    entry.call.entries++
    if (this.#waiting.length === 0 && this.#hasRoomFor(entry)) return this.#start(entry)
    this.#waiting.push(entry)
  }

  /** What is inside has run for long. */
  runsLong(): void {
    if (this.#place === 'taken') this.#rules.place.runsLong()
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoomFor(next); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#start(next)
    }
    if (this.#waiting.length === 0) this.#giveWay()
  }

  /** While others wait for a place, those who have one are let in no further. */
  #hasRoomFor(entry: Entry): boolean {
    const [first] = this.#inside
    if (!first) return this.#hasPlace(entry)
    if (entry.isAlone || first.entry.isAlone || this.#rules.place.isWanted) return false
    return this.#inside.length < depth
  }

  #hasPlace({ call }: Entry): boolean {
    if (this.#place === 'none') {
      this.#place = this.#rules.place.take(call.header.tenant, this.#come) ? 'taken' : 'asked'
    }
    return this.#place === 'taken'
  }

  readonly #come = (): void => {
    this.#place = 'taken'
    this.#admit()
  }

  #giveWay(): void {
    if (this.#inside.length > 0 || this.#place !== 'taken') return
    this.#place = 'none'
    this.#rules.place.leave()
  }

  #start(entry: Entry): void {
    const { call } = entry
    if (call.cpuLeftMs <= 0) call.correctCpu(guestCpuMs())
    const budgetMs = call.cpuLeftMs
    if (call.isOver || this.#rules.isDead() || budgetMs <= 0) return this.#skip(entry)
    const timeoutMs = this.#timeoutOf(call, budgetMs)
    // In a shared isolate the engine's timeout ends the entry, and the watch steps in only when the thread does not heed that.
    const entered = { entry, timeoutMs, watchedMs: this.#rules.isShared() ? timeoutMs : budgetMs }
    if (this.#inside.push(entered) === 1) {
      this.#counted = this.#rules.insideTime() ?? this.#counted
      this.#watch(entered, performance.now())
    }
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

  /**
   * The engine's timeout is one of the clock, which goes on while the machine serves others. The watch looks after the CPU
   * time instead, where it may: it can stop nothing but the whole isolate. Calls that share one get as much more of the clock
   * as the machine takes.
   */
  #timeoutOf(call: GuestCall, budgetMs: number): number {
    const { watch, isShared, wallLeftMs } = this.#rules
    const most = Math.max(budgetMs, Math.ceil(wallLeftMs(call)))
    if (!isShared()) return most
    return watch.isStarved ? Math.min(most, Math.ceil(budgetMs / Math.max(watch.ratio, leastRatio))) : budgetMs
  }

  #skip(entry: Entry): void {
    entry.call.entries--
    if (entry.call.isOver) entry.left()
    else entry.failed(this.#rules.isDead() ? new IsolateDeadError() : new CpuSpentError())
    if (this.#waiting.length === 0) this.#giveWay()
  }

  #watch({ entry, timeoutMs, watchedMs }: Entered, now: number): void {
    entry.call.mayHaveRun = true
    this.#rules.watch.started(entry.call, watchedMs, timeoutMs > watchedMs, now)
  }

  #leave(entered: Entered): void {
    const { call } = entered.entry
    call.entries--
    const isFirst = this.#inside[0] === entered
    this.#charge(call, isFirst)
    if (!isFirst) return void this.#inside.splice(this.#inside.indexOf(entered), 1)
    this.#inside.shift()
    const [next] = this.#inside
    if (next) this.#watch(next, performance.now())
    else if (this.#rules.place.isWanted) this.#giveWay()
  }

  /** Charges a call for the time that the thread was inside since the last one came out, as far as it ran then. */
  #charge(call: GuestCall, isWatched: boolean): void {
    const { insideTime, watch } = this.#rules
    const total = insideTime()
    const insideMs = total === undefined ? undefined : Number(total - this.#counted) / 1e6
    if (total !== undefined) this.#counted = total
    const spentMs = isWatched ? watch.ended(call, insideMs) : watch.share(insideMs ?? 0)
    call.cpuNanoseconds += BigInt(Math.round(spentMs * 1e6))
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
