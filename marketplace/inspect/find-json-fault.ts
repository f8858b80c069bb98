/** Where a text stops being JSON. */
interface JsonFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly expected: string
  readonly found: string
}

const space = /[ \t\n\r]*/y
const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const scalar = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y

class Fault extends Error {
  readonly at: number
  readonly expected: string

  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
    this.expected = expected
  }
}

/** Finds where a text stops being JSON (RFC 8259), and what should stand there; nothing where it is JSON. It nests to a bounded depth. */
export function findJsonFault(text: string): JsonFault | undefined {
  let at = 0
  try {
    value('a value')
    skip()
    if (at < text.length) throw new Fault(at, 'nothing more')
    return undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const before = text.slice(0, error.at).split('\n')
    const found = /^(?:[A-Za-z_$][\w$]*|.)/.exec(text.slice(error.at))?.[0]
    return {
      ...{ line: before.length, column: (before.at(-1) ?? '').length + 1, expected: error.expected },
      found: error.at >= text.length ? 'the end' : found === undefined ? 'a line end' : `'${found}'`,
    }
  }

  function skip(): void {
    take(space)
  }

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length
    at += length ?? 0
    return length !== undefined
  }

  function value(expected: string): void {
    skip()
    if (text[at] === '{') return members('}', member, "a name in double quotes or '}'")
    if (text[at] === '[') return members(']', value, "a value or ']'")
    if (text[at] === '"' ? !take(string) : !take(scalar))
      throw new Fault(at, text[at] === '"' ? 'a text that ends on its line, with \\ before " and \\' : expected)
  }

  function member(expected: string): void {
    skip()
    if (text[at] !== '"') throw new Fault(at, expected)
    value(expected)
    skip()
    if (text[at] !== ':') throw new Fault(at, "':' and a value")
    at++
    value('a value')
  }

  function members(end: string, part: (expected: string) => void, first: string): void {
    at++
    skip()
    for (let expected = first; text[at] !== end || expected !== first; expected = first.replace(` or '${end}'`, '')) {
      part(expected)
      skip()
      if (text[at] === end) break
      if (text[at] !== ',') throw new Fault(at, `',' or '${end}'`)
      at++
    }
    at++
  }
}
