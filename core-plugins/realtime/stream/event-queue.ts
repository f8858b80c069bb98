import type { ServerEvent } from '#kernel'
import type { Close } from '../connections/close.ts'
import type { Wire } from '../connections/connection.ts'
import { printFrame } from '../connections/frame.ts'

/** The way to a reader of Server-Sent Events: what was not read yet waits here. */
export class EventQueue implements Wire, AsyncIterable<ServerEvent>, AsyncIterator<ServerEvent> {
  readonly #waiting: ServerEvent[] = []
  readonly #left: () => void
  #bytes = 0
  #isEnded = false
  #wake: (() => void) | undefined
  /** Who waits until no more than so many bytes wait. */
  #drain: { readonly bytes: number; readonly done: () => void } | undefined

  /** `left` is called when the reader is gone. */
  constructor(left: () => void) {
    this.#left = left
  }

  get bufferedBytes(): number {
    return this.#bytes
  }

  send(frame: Buffer, id?: string): void {
    if (!this.#isEnded) this.#push({ data: frame.toString(), ...(id !== undefined && id !== '' && { id }) })
  }

  drained(bytes: number): Promise<void> {
    if (this.#isEnded || this.#bytes <= bytes) return Promise.resolve()
    return new Promise((done) => (this.#drain = { bytes, done }))
  }

  /** What waits for a reader that is too slow is thrown away: it comes again from the last event it has. */
  close({ code, reason, retryMilliseconds }: Close): void {
    if (this.#isEnded) return
    if (code === 4413) this.#waiting.length = 0
    if (retryMilliseconds !== undefined) {
      const frame = printFrame({ type: 'restart', retry_after_ms: retryMilliseconds })
      this.#push({ data: frame.toString(), retry: retryMilliseconds })
    }
    this.#push({ data: printFrame({ type: 'close', code, reason }).toString() })
    this.#isEnded = true
    this.#wake?.()
    this.#drain?.done()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<ServerEvent>> {
    while (this.#waiting.length === 0 && !this.#isEnded) await new Promise<void>((resolve) => (this.#wake = resolve))
    const value = this.#waiting.shift()
    if (!value) return { done: true, value: undefined }
    this.#bytes -= String(value.data).length
    if (this.#drain && this.#bytes <= this.#drain.bytes) this.#drain.done()
    return { done: false, value }
  }

  return(): Promise<IteratorResult<ServerEvent>> {
    this.#isEnded = true
    this.#waiting.length = 0
    this.#wake?.()
    this.#drain?.done()
    this.#left()
    return Promise.resolve({ done: true, value: undefined })
  }

  #push(event: ServerEvent): void {
    this.#waiting.push(event)
    this.#bytes += String(event.data).length
    this.#wake?.()
  }
}
