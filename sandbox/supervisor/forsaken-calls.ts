import type { Channel } from '../wire/channel.ts'
import { forsaken } from '../wire/outcome.ts'
import type { LaneResult } from './kill.ts'
import type { PendingCall } from './pending-call.ts'

/** How often it is asked whether anybody waits. One timer asks for all: a listener for every call costs a small one too much. */
const periodMs = 100

/** Looks after the calls of one sandbox host that nobody waits for any more, so that they take nobody else's turn. */
export class ForsakenCalls implements Disposable {
  readonly #pending: ReadonlyMap<number, PendingCall>
  readonly #channel: Channel
  readonly #settle: (id: number, result: LaneResult) => void
  readonly #told = new WeakSet<PendingCall>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    pending: ReadonlyMap<number, PendingCall>,
    channel: Channel,
    settle: (id: number, result: LaneResult) => void,
  ) {
    this.#pending = pending
    this.#channel = channel
    this.#settle = settle
  }

  /** Looks until no call is left. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), periodMs).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    if (this.#pending.size === 0) return this[Symbol.dispose]()
    for (const [id, pending] of [...this.#pending]) {
      if (this.#told.has(pending) || !pending.call.isForsaken?.()) continue
      this.#told.add(pending)
      if (pending.isSent) this.#channel.send('forsaken', id)
      else this.#settle(id, { ...forsaken, cpuMs: 0, wallMs: 0, hostCalls: 0 })
    }
  }
}
