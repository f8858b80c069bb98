import { MalformedBodyError } from '../errors.ts'

const deepest = 100
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON; refuses what is well-formed and still harms those behind: `__proto__`, NUL, half characters, endless depth. */
export function parseJsonBody(bytes: Buffer): unknown {
  try {
    const text = decodeUtf8(bytes)
    const value: unknown = JSON.parse(text)
    if (mayHarm(text) && harms(value)) throw new SyntaxError('Harmful JSON')
    return value
  } catch (cause) {
    throw new MalformedBodyError({ cause })
  }
}

/** Bytes as text; throws where they are no UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  return utf8.decode(bytes)
}

/** Whether a walk through the value is worth its time: most bodies have no escapes and few brackets. */
function mayHarm(text: string): boolean {
  if (text.includes('__proto__') || text.includes('\\u')) return true
  let opened = 0
  for (let at = 0; at < text.length && opened <= deepest; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x5b || character === 0x7b) opened += 1
  }
  return opened > deepest
}

/** Walks without recursion, since depth is one of the things it looks for. */
function harms(root: unknown): boolean {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string' && isBadText(value)) return true
      if (typeof value !== 'object' || value === null) continue
      if (depth >= deepest) return true
      const keys = Array.isArray(value) ? [] : Object.keys(value)
      if (keys.some((key) => key === '__proto__' || isBadText(key))) return true
      for (const child of Object.values(value) as unknown[]) next.push(child)
    }
    level = next
  }
  return false
}

function isBadText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}
