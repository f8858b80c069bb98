import type { Failure } from '../wire/call.ts'
import { forsaken, isolateLost, type Ending } from '../wire/outcome.ts'
import { cpuSpent, explain, limitOf } from './explain.ts'
import type { GuestCall } from './guest-call.ts'
import type { GuestIsolate } from './isolate.ts'
import type { Seat } from './seat.ts'
import type { Watch } from './watch.ts'

/** What the end of a call sets going. */
interface EndingEvents {
  readonly finish: (call: GuestCall, ending: Ending) => void
  /** A call sits down anew. */
  readonly findSeat: (seat: Seat) => void
  /** An isolate was met that is dead. */
  readonly onDead: () => void
}

/** How calls end that did not end by themselves, and what becomes of those that were in the isolate with them. */
export class CallEndings {
  readonly #seats: ReadonlyMap<number, Seat>
  readonly #watch: Watch
  readonly #events: EndingEvents

  constructor(seats: ReadonlyMap<number, Seat>, watch: Watch, events: EndingEvents) {
    this.#seats = seats
    this.#watch = watch
    this.#events = events
  }

  /** Nobody waits for a call: it leaves its place in every queue, unless its handler is at work already. */
  forsake(id: number): void {
    const call = this.#seats.get(id)?.call
    if (call && !call.hasEntered) this.#events.finish(call, forsaken)
  }

  /** It was given more of the clock than of CPU time: nothing but its isolate can be stopped now. */
  spent(call: GuestCall): void {
    call.ending = limitOf(call) ?? cpuSpent
    const isolate = this.#seats.get(call.id)?.isolate
    if (!isolate) return
    isolate.spentBy = call
    isolate.dispose()
  }

  /** What an exception out of the isolate means; the first call to meet a dead one was inside, unless it was stopped for another. */
  explain(call: GuestCall, error: unknown): Failure {
    const isolate = this.#seats.get(call.id)?.isolate
    if (!isolate?.isDead) return explain(call, error, this.#watch)
    this.#events.onDead()
    for (const other of isolate.calls) if (other !== call) this.#goOn(other, isolate)
    const isInnocent = isolate.spentBy !== undefined && isolate.spentBy !== call
    return limitOf(call) ?? (isInnocent ? isolateLost : { ok: false, kind: 'limit', limit: 'memory' })
  }

  /** Its isolate died of another call: one that was not inside yet takes a seat in the next. */
  #goOn(call: GuestCall, dead: GuestIsolate): void {
    const seat = this.#seats.get(call.id)
    if (!seat || call.mayHaveRun) return this.#events.finish(call, limitOf(call) ?? isolateLost)
    dead.calls.delete(call)
    seat.isolate = seat.context = undefined
    this.#events.findSeat(seat)
  }
}
