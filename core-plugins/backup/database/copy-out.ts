import type pg from 'pg'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'

/** How much may wait for whoever reads before the server is told to wait. */
const most = 1_048_576
/** A server that says nothing for so long in the midst of rows is gone. */
const silentMs = 300_000

/**
 * Rows of a COPY … TO STDOUT as they come. A query of pg with its documented interface for such (`submit` and the handlers), so that
 * the driver's own reading of the protocol is used.
 */
export class CopyOut implements pg.Submittable {
  readonly #text: string
  #connection: pg.Connection | undefined
  #held: Buffer[] = []
  #size = 0
  #rows = 0
  #failure: { readonly error: unknown } | undefined
  #isDone = false
  #wake: () => void = () => undefined

  constructor(text: string) {
    this.#text = text
  }

  /** What the server says it sent; complete once the rows have ended. */
  get rows(): number {
    return this.#rows
  }

  submit = (connection: pg.Connection): void => {
    this.#connection = connection
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The driver reads the next message into the same memory.
    this.#held.push(Buffer.from(chunk))
    this.#size += chunk.length
    if (this.#size > most) this.#connection?.stream.pause()
    this.#wake()
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1])
  }

  handleError(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  handleReadyForQuery(): void {
    this.#isDone = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      if (this.#size > 0) {
        const all = Buffer.concat(this.#held)
        this.#held = []
        this.#size = 0
        yield all
        this.#connection?.stream.resume()
      } else if (this.#isDone) return
      else await this.#more()
    }
  }

  async #more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(() => reject(new BackupError(texts.keep('notice.backup_database_silent'))), silentMs)
    await promise.finally(() => clearTimeout(timer))
  }
}
