import { Refusal } from '../refusal.ts'

/** A statement of a guest cannot be compiled. */
export function statementFault(message: string): Refusal {
  return new Refusal('bad_request', 'statement_invalid', message)
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
