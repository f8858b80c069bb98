import { McpBusyListenersError } from '../errors.ts'

/** A stream that hears when something may have changed. */
interface Seat extends Disposable {
  /** Until something may have changed, or the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
}

/** Of one caller on one host, and of all. */
const mostOfOne = 5
const mostOfAll = 500

/** Streams that tell what changes: woken together, and bounded. */
export class Listeners implements Disposable {
  readonly #seats = new Map<object, string>()
  readonly #wakes = new Set<() => void>()
  #isOver = false

  /** Throws 429/4298 where there are as many as may be. */
  take(caller: string): Seat {
    const own = [...this.#seats.values()].filter((each) => each === caller).length
    if (own >= mostOfOne || this.#seats.size >= mostOfAll) throw new McpBusyListenersError()
    const seat: Seat = {
      wait: (signal) => this.#wait(signal),
      [Symbol.dispose]: () => void this.#seats.delete(seat),
    }
    this.#seats.set(seat, caller)
    return seat
  }

  /** Something may have changed. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.wake()
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#wakes.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted || this.#isOver) return end()
      this.#wakes.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
