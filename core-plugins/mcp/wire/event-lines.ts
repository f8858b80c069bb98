/** Reads Server-Sent Events piece by piece; comments and all fields but `data` are passed over. */
export class EventLines {
  #rest = ''
  #data: string[] = []
  readonly #decoder = new TextDecoder()

  /** The data of the events that end in this piece. */
  take(piece: Uint8Array): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line) ?? [])
  }

  /** The data of an event that the end cut off before its empty line. */
  end(): string | undefined {
    this.#line(this.#rest.replace(/\r$/, ''))
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
