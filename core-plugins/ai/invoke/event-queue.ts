import type { AppError } from '#kernel'
import type { AiEvent } from '../contract.ts'
import type { RelaySink, RelayStream } from '../relay/call.ts'

/** So many steps may wait for a reader before the provider is not read any further. */
const mostWaiting = 256

/** A stream as something to iterate over; who stops early ends the call. */
export class EventQueue implements RelaySink, AsyncIterableIterator<AiEvent> {
  readonly #abandon: () => void
  readonly #ended: (error: AppError | undefined) => void
  #stream: RelayStream | undefined
  #waiting: AiEvent[] = []
  #wake: (() => void) | undefined
  #end: { readonly error: AppError | undefined } | undefined

  /** Told once when the stream is over, and when nobody reads it to its end. */
  constructor(ended: (error: AppError | undefined) => void, abandon: () => void) {
    this.#ended = ended
    this.#abandon = abandon
  }

  /** Takes the steps of a stream from now on. */
  read(stream: RelayStream): void {
    this.#stream = stream
    stream.flow(this)
  }

  events(events: readonly AiEvent[]): boolean {
    this.#waiting.push(...events)
    this.#wake?.()
    return this.#waiting.length < mostWaiting
  }

  /** Nobody stands between who would cut the connection. */
  waiting(): void {
    return
  }

  end(): void {
    this.#over(undefined)
  }

  fail(error: AppError): void {
    this.#over(error)
  }

  async next(): Promise<IteratorResult<AiEvent>> {
    for (;;) {
      const value = this.#waiting.shift()
      if (value) {
        if (this.#waiting.length === 0) this.#stream?.resume()
        return { done: false, value }
      }
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }

  return(): Promise<IteratorResult<AiEvent>> {
    if (!this.#end) this.#abandon()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #over(error: AppError | undefined): void {
    this.#end = { error }
    // What it took is known a moment after its end.
    queueMicrotask(() => this.#ended(error))
    this.#wake?.()
  }
}
