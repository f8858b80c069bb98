import { once } from 'node:events'
import type pg from 'pg'

/** What of a connection a COPY … FROM STDIN uses; the types of pg leave it out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Sends rows to a COPY … FROM STDIN; answers how many the server took. */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const copy = new CopyIn(text, source)
  client.query(copy)
  return copy.ended
}

class CopyIn implements pg.Submittable {
  readonly #text: string
  readonly #source: AsyncIterable<Buffer>
  readonly #outcome = Promise.withResolvers<number>()
  #rows = 0
  #failure: { readonly error: unknown } | undefined

  constructor(text: string, source: AsyncIterable<Buffer>) {
    this.#text = text
    this.#source = source
  }

  get ended(): Promise<number> {
    return this.#outcome.promise
  }

  submit = (connection: pg.Connection): void => connection.query(this.#text)

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1])
  }

  handleError(error: unknown): void {
    // What stopped the source is the cause, and not that the server was told to stop.
    this.#failure ??= { error }
    this.#outcome.reject(this.#failure.error)
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#outcome.reject(this.#failure.error)
    else this.#outcome.resolve(this.#rows)
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        if (this.#failure) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      this.#failure ??= { error }
      connection.sendCopyFail('The source of the rows failed')
    }
  }
}
