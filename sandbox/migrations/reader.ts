import { describe, refusal, tokenize, type Token } from './tokens.ts'

/** Names no column or table may have: those the platform adds, and PostgreSQL's own columns. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['tenant_id', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid', 'oid'],
])
const name = /^[a-z][a-z0-9_]{0,30}$/

/** Reads tokens one by one and says what it expected when another one comes. */
export class Reader {
  readonly file: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(sql: string, file: string) {
    this.file = file
    this.#tokens = tokenize(sql, file)
  }

  /** The next token, unread. */
  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', line: 1 }
  }

  /** Whether everything is read. */
  isAtEnd(): boolean {
    return this.next.kind === 'end'
  }

  /** Reads one token, whatever it is. */
  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  /** Whether the next tokens are these key words or symbols. */
  sees(...texts: readonly string[]): boolean {
    return texts.every((text, index) => {
      const token = this.#tokens[this.#at + index]
      return (
        token !== undefined && (token.kind === 'word' || token.kind === 'symbol') && token.text.toLowerCase() === text
      )
    })
  }

  /** Reads these key words or symbols if they come next. */
  accepts(...texts: readonly string[]): boolean {
    const found = this.sees(...texts)
    if (found) this.#at += texts.length
    return found
  }

  /** Reads these key words or symbols. */
  expect(...texts: readonly string[]): void {
    for (const text of texts) if (!this.accepts(text)) this.refuse(text)
  }

  /** Reads a name of a table, a column, an index or a constraint. */
  name(what: string): string {
    const token = this.next
    if (token.kind !== 'word' || !name.test(token.text) || reservedNames.has(token.text))
      return this.refuse(`${what} of at most 31 lower-case letters, digits and underscores that is not reserved`)
    this.#at++
    return token.text
  }

  /** Reads a whole number that is small enough to be a length or a precision. */
  whole(most: number): number {
    const token = this.next
    const value = token.kind === 'number' && /^\d{1,6}$/.test(token.text) ? Number(token.text) : most + 1
    if (value > most) return this.refuse(`a whole number up to ${most}`)
    this.#at++
    return value
  }

  /** Reads `( a , b )`. */
  list<T>(item: () => T): T[] {
    this.expect('(')
    const items: T[] = []
    do items.push(item())
    while (this.accepts(','))
    this.expect(')')
    return items
  }

  /** Reads something that may contain itself, to a bounded depth. */
  nested<T>(read: () => T): T {
    if (this.#depth >= 32) return this.refuse('less nesting')
    this.#depth++
    const result = read()
    this.#depth--
    return result
  }

  /** Ends the reading: the next token is not what had to come. */
  refuse(expected: string): never {
    throw refusal(this.file, this.next.line, expected, describe(this.next))
  }
}
