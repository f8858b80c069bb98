import { sandboxLimits } from '../limits.ts'
import { counted } from '../wire/sizes.ts'

const bounds = {
  call: sandboxLimits.callHeldBytes.max,
  plugin: sandboxLimits.pluginHeldBytes.max,
}

/** The room that the answer to one host call has taken, in the order in which such answers began. */
export interface Holding {
  readonly call: number
  readonly plugin: string
  bytes: number
}

interface Waiter {
  readonly holding: Holding
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/**
 * What the platform holds of answers to guests that did not leave yet: bounded for each call and each plugin, and taken before
 * the bytes are read. There is no bound over all plugins, or the slow answers of some would keep the others waiting. An answer may
 * take room a part at a time; the first that began always gets it, so that one at least comes to its end where several that are
 * half read would wait for each other.
 */
export class HeldAnswers {
  readonly #holdings = new Set<Holding>()
  readonly #waiting = new Set<Waiter>()

  /** Bytes held in the lane. */
  get bytes(): number {
    return this.#sumOf(() => true)
  }

  /** Takes room for an answer, or for more of it. */
  take(holding: Holding, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#holdings.add(holding)
    this.#waiting.add({ holding, bytes, resolve, reject })
    this.#serve()
    return promise
  }

  /** The answer is there: so much is held of it until it leaves, unless it is too small to be counted. */
  settle(holding: Holding, bytes: number): void {
    if (bytes <= counted) return this.release(holding)
    this.#holdings.add(holding)
    holding.bytes = bytes
    this.#serve()
  }

  /** The answer has left, or nobody wants it. */
  release(holding: Holding): void {
    if (!this.#holdings.delete(holding)) return
    this.#abandon((waiter) => waiter.holding === holding)
    this.#serve()
  }

  /** The call has ended, and with it all that was held for it. */
  close(call: number): void {
    let wasHeld = false
    for (const holding of this.#holdings) {
      if (holding.call === call) wasHeld = this.#holdings.delete(holding)
    }
    if (!wasHeld) return
    this.#abandon(({ holding }) => holding.call === call)
    this.#serve()
  }

  #abandon(isGone: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiting) {
      if (!isGone(waiter)) continue
      this.#waiting.delete(waiter)
      waiter.reject(new Error('the call has ended'))
    }
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      const { holding, bytes } = waiter
      if (!this.#hasRoom(holding, bytes)) continue
      this.#waiting.delete(waiter)
      holding.bytes += bytes
      waiter.resolve()
    }
  }

  #hasRoom(holding: Holding, bytes: number): boolean {
    const { call, plugin } = bounds
    return (
      this.#fits(holding, bytes, plugin, (other) => other.plugin === holding.plugin) &&
      this.#fits(holding, bytes, call, (other) => other.call === holding.call)
    )
  }

  #fits(holding: Holding, bytes: number, most: number, isCounted: (other: Holding) => boolean): boolean {
    if (this.#sumOf(isCounted) + bytes <= most) return true
    for (const first of this.#holdings) if (isCounted(first)) return first === holding
    return true
  }

  #sumOf(isCounted: (holding: Holding) => boolean): number {
    let sum = 0
    for (const holding of this.#holdings) if (isCounted(holding)) sum += holding.bytes
    return sum
  }
}
