/** What a scan found wrong, and where. */
interface JsonFault {
  readonly field: string
  readonly rule: 'depth' | 'values' | 'duplicate_key' | 'forbidden_key' | 'number' | 'character' | 'syntax'
  readonly message: string
}

/** Characters that are read in about a millisecond. */
const stepLength = 32_768

interface Container {
  /** The keys seen so far; an array has none. */
  readonly keys: Set<string> | undefined
  label: string
  index: number
  expectsKey: boolean
}

const [quote, comma, minus, backslash] = [0x22, 0x2c, 0x2d, 0x5c] as const
const [brace, braceEnd, bracket, bracketEnd] = [0x7b, 0x7d, 0x5b, 0x5d] as const
const [zero, nine] = [0x30, 0x39] as const
const [surrogate, surrogateEnd] = [0xd800, 0xe000] as const
const numberForm = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/**
 * Finds what JSON.parse lets pass: a key given twice (the later one wins silently), a key that reaches for the prototype,
 * nesting that recursion could not follow, more values than a reader has patience for, a number that becomes infinite, and
 * half a character or a zero byte, which no database keeps. Runs over the tokens before anything is parsed.
 */
export function scanJson(text: string, maxDepth: number, maxValues = Infinity): JsonFault | undefined {
  for (const work = scanJsonInSteps(text, maxDepth, maxValues); ;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** The same, for a text of megabytes: pauses where it yields. */
export function* scanJsonInSteps(
  text: string,
  maxDepth: number,
  maxValues = Infinity,
): Generator<void, JsonFault | undefined> {
  let pause = stepLength
  let values = 1
  const open: Container[] = []
  const field = () => open.flatMap((container) => container.label || []).join('.')
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      pause = at + stepLength
      yield
    }
    const top = open.at(-1)
    if (values > maxValues) return { field: '', rule: 'values', message: `It has more than ${maxValues} values.` }
    const code = text.charCodeAt(at)
    switch (code) {
      case quote: {
        const found = findString(text, at)
        if (!found) return { field: field(), rule: 'syntax', message: 'A string has no end.' }
        const { end, isPlain } = found
        if (isPlain && !(top?.keys && top.expectsKey)) {
          at = end
          break
        }
        const value = decode(text.slice(at, end + 1))
        if (value === undefined) return { field: field(), rule: 'syntax', message: 'This is no JSON string.' }
        if (!value.isWellFormed() || value.includes('\0'))
          return { field: field(), rule: 'character', message: 'A text has half a character or a zero byte.' }
        if (top?.keys && top.expectsKey) {
          top.label = value
          if (value === '__proto__')
            return { field: field(), rule: 'forbidden_key', message: 'This key is not allowed.' }
          if (top.keys.has(value)) return { field: field(), rule: 'duplicate_key', message: 'This key is given twice.' }
          top.keys.add(value)
          top.expectsKey = false
        }
        at = end
        break
      }
      case brace:
      case bracket: {
        if (open.length >= maxDepth)
          return { field: field(), rule: 'depth', message: `Nested deeper than ${maxDepth} levels.` }
        values++
        const isObject = code === brace
        open.push({
          keys: isObject ? new Set() : undefined,
          label: isObject ? '' : '0',
          index: 0,
          expectsKey: isObject,
        })
        break
      }
      case braceEnd:
      case bracketEnd:
        open.pop()
        break
      case comma:
        values++
        if (top?.keys) top.expectsKey = true
        else if (top) top.label = String(++top.index)
        break
      default: {
        if (code !== minus && (code < zero || code > nine)) break
        numberForm.lastIndex = at
        const number = numberForm.exec(text)?.[0]
        if (number === undefined) break
        if (Math.abs(Number(number)) === Infinity)
          return { field: field(), rule: 'number', message: 'This number is too large.' }
        at += number.length - 1
      }
    }
  }
  return undefined
}

/**
 * Where a string ends, and whether it surely says what stands there, all of it whole characters. Told on the way, not by searching
 * the text beforehand: V8 may move such a search to where its result is used, and then does it for every string.
 */
function findString(text: string, start: number): { readonly end: number; readonly isPlain: boolean } | undefined {
  let isPlain = true
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return { end: at, isPlain }
    if (code === backslash) at++
    if (code === backslash || code === 0 || (code >= surrogate && code < surrogateEnd)) isPlain = false
  }
  return undefined
}

/** What a string says: two spellings of one key (`"a"`, `"\u0061"`) are the same key. */
function decode(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
