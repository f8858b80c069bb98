import { Refusal } from '../refusal.ts'

/** A statement of a guest cannot be compiled. */
export function statementFault(message: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal('bad_request', 'statement_invalid', message, details)
}

/** A part of a statement that must be a list of at most so many items, or nothing. */
export function listOf(value: unknown, name: string, max: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.length <= max) return value as readonly unknown[]
  throw statementFault(`${name} must be a list of at most ${max} items`)
}

/** A part of a statement that must be an object. */
export function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw statementFault(`${name} must be an object`)
}

/** A part of a statement that must be one of a few words. */
export function oneOf<const W extends string>(value: unknown, words: readonly W[], name: string): W {
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  throw statementFault(`${name} must be one of ${words.join(', ')}`)
}

/** Names the one that was probably meant, where one differs by a letter or two. */
export function nearest(name: string, known: readonly string[]): string {
  const wanted = name.toLowerCase().slice(0, 64)
  const near = known.find((one) => distance(wanted, one) <= (one.length > 4 ? 2 : 1))
  return near === undefined ? '' : `. Did you mean ${near}?`
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...left].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...right].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
