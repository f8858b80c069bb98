/** Reads Server-Sent Events piece by piece; comments and all fields but `data` are passed over. */
export class EventLines {
  #rest = ''
  #isAfterReturn = false
  #data: string[] = []
  readonly #decoder = new TextDecoder()

  /** The data of the events that end in this piece. */
  take(piece: Uint8Array): readonly string[] {
    const text = this.#decoder.decode(piece, { stream: true })
    if (text === '') return []
    const isSplit = this.#isAfterReturn && text.startsWith('\n')
    this.#isAfterReturn = text.endsWith('\r')
    // Only what is new is looked through: a server may send a byte at a time.
    const [first = '', ...others] = (isSplit ? text.slice(1) : text).split(/\r\n|\n|\r/)
    const lines = [this.#rest + first, ...others]
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line) ?? [])
  }

  /** The data of an event that the end cut off before its empty line. */
  end(): string | undefined {
    this.#line(this.#rest)
    return this.#line('')
  }

  #line(line: string): string | undefined {
    if (line.startsWith('data:')) {
      this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      return undefined
    }
    if (line !== '' || this.#data.length === 0) return undefined
    const data = this.#data.join('\n')
    this.#data = []
    return data
  }
}
