import { hash } from 'node:crypto'

/** The highest position of a `tsvector` that is kept exactly, and so the most occurrences that count. */
const mostOccurrences = 255

/** A term as the index has it: each knowledge base has its own, so that looking in one reads nothing of another. */
export function indexTerm(baseNumber: number, term: string): string {
  return `${String(baseNumber)}:${term}`
}

/** Terms with their counts as the text of a `tsvector`; a term is of letters and digits only, so that nothing in it is syntax. */
export function vectorOf(baseNumber: number, counts: Iterable<readonly [term: string, count: number]>): string {
  const lexemes: string[] = []
  for (const [term, count] of counts) {
    const positions = Array.from({ length: Math.min(count, mostOccurrences) }, (_, at) => at + 1)
    lexemes.push(`'${indexTerm(baseNumber, term)}':${positions.join(',')}`)
  }
  return lexemes.join(' ')
}

/**
 * A term as the index of all knowledge bases has it, which anybody could read: 72 bits of its SHA-256 with the salt of its knowledge base,
 * as base64url. The database makes the same of the terms of chunks.
 */
export function hashedTerm(salt: string, term: string): string {
  return hash('sha256', salt + term, 'base64url').slice(0, 12)
}

/** Any of these, as the text of a `tsquery`. */
export function anyOf(indexTerms: readonly string[]): string {
  return indexTerms.map((term) => `'${term}'`).join('|')
}
