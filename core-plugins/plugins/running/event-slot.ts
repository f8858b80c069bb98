import type { SandboxServices } from '#sandbox'
import { EventsNotTakenError } from '../shared/errors.ts'

type Publish = SandboxServices['publish']

/** Where the events that plugins publish go: to whoever takes them at the moment. */
export class EventSlot {
  #taker: Publish | undefined

  /** Takes the events until the result is disposed; the last one that came takes them. */
  take(taker: Publish): Disposable {
    this.#taker = taker
    return {
      [Symbol.dispose]: () => {
        if (this.#taker === taker) this.#taker = undefined
      },
    }
  }

  /** Resolves when the event is safely queued; throws 503/5030 while nobody takes any. */
  readonly publish: Publish = async (event) => {
    if (!this.#taker) throw new EventsNotTakenError()
    await this.#taker(event)
  }
}
