import type { Outlet } from '../wire/channel.ts'

/**
 * Has the supervisor raise the cap on this process's memory before an isolate is made, and set it again afterwards: with the
 * JIT each reserves half a gigabyte that counts.
 */
export class IsolateRoom {
  readonly #channel: Outlet
  #turns: Promise<void> = Promise.resolve()
  #granted: (() => void) | undefined

  constructor(channel: Outlet) {
    this.#channel = channel
  }

  /** Calls the function, which throws nothing, when there is room; one after the other. */
  enter(make: () => void, isNeeded: () => boolean): void {
    this.#turns = this.#turns.then(async () => {
      // The one before may have made it.
      if (!isNeeded()) return make()
      await new Promise<void>((resolve) => {
        this.#granted = resolve
        this.#channel.send('room', 0)
      })
      make()
      this.#channel.send('isolates', 0, '1')
    })
  }

  /** Takes the supervisor's answer. */
  granted(): void {
    this.#granted?.()
  }

  /** Isolates were let go of. */
  changed(): void {
    this.#channel.send('isolates', 0, '0')
  }
}
