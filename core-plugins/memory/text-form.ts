import { createHash } from 'node:crypto'

/** Characters of a memory. */
const longestMemory = 500

/** One line of plain text; undefined where nothing is left of it. */
export function cleanText(text: string): string | undefined {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
  if (line === '') return undefined
  return line.length > longestMemory ? `${line.slice(0, longestMemory - 1).toWellFormed()}…` : line
}

/** The same for texts that say the same but for case, spaces and marks. */
export function normHash(text: string): string {
  return createHash('sha256').update(plain(text)).digest('hex')
}

/** How alike texts are, 0 to 1: the share of trigrams of both that they have in common, as `similarity` of PostgreSQL's pg_trgm. */
function similarity(a: string, b: string): number {
  const [left, right] = [trigramsOf(a), trigramsOf(b)]
  const common = [...left].filter((each) => right.has(each)).length
  const all = left.size + right.size - common
  return all === 0 ? 0 : common / all
}

/** Whether texts say the same in other words, or with a slip: never where their figures differ. */
export function isNearlySame(a: string, b: string): boolean {
  return figuresOf(a) === figuresOf(b) && similarity(a, b) >= 0.9
}

/** The trigrams of a text's words. */
export function trigramsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const word of plain(text).split(' ')) {
    const padded = `  ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3))
  }
  return found
}

function figuresOf(text: string): string {
  return (text.normalize('NFKC').match(/\d+/g) ?? []).sort().join(' ')
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
