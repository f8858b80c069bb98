/** A content that is taken piece by piece; one that ends in a failure gives what came before it. */
export class IncomingBytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #isOver = false
  #failure: unknown

  constructor(content: AsyncIterable<Buffer>) {
    this.#source = content[Symbol.asyncIterator]()
  }

  /** Why it ended before its end; undefined where it did not. */
  get failure(): unknown {
    return this.#failure
  }

  /** Waits for more, or for the end. */
  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#isOver) await this.#pull()
    return this.#rest.length > 0
  }

  /** The next so many bytes, or those that are left. */
  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0 && (await this.hasMore());) {
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async #pull(): Promise<void> {
    try {
      const next = await this.#source.next()
      if (next.done === true) this.#isOver = true
      else this.#rest = next.value
    } catch (error) {
      this.#failure = error
      this.#isOver = true
    }
  }
}
