import { fieldFault } from './faults.ts'

/** A JSON object of which nothing else is known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that must be an object; throws RequestFieldError. */
export function objectAt(value: unknown, field: string): JsonObject {
  if (isObject(value)) return value
  throw fieldFault(field, 'must be an object')
}

/** A value that must be a list. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[]
  throw fieldFault(field, 'must be a list')
}

/** A value that must be a text. */
export function textAt(value: unknown, field: string): string {
  if (typeof value === 'string') return value
  throw fieldFault(field, 'must be a text')
}

/** A text that must say something. */
export function nameAt(value: unknown, field: string): string {
  const text = textAt(value, field)
  if (text !== '') return text
  throw fieldFault(field, 'must not be empty')
}

/** Reads members that may be missing, or null, which is the same. */
export class Members {
  readonly #object: JsonObject
  readonly #path: string

  constructor(object: JsonObject, path = '') {
    this.#object = object
    this.#path = path === '' ? '' : `${path}.`
  }

  text(name: string): string | undefined {
    const value = this.#object[name]
    return value === undefined || value === null ? undefined : textAt(value, this.#path + name)
  }

  flag(name: string): boolean | undefined {
    const value = this.#object[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'boolean') return value
    throw fieldFault(this.#path + name, 'must be true or false')
  }

  number(name: string, least = -Infinity, most = Infinity): number | undefined {
    const value = this.#object[name]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'number') throw fieldFault(this.#path + name, 'must be a number')
    if (value < least || value > most) throw fieldFault(this.#path + name, rangeOf(least, most))
    return value
  }

  integer(name: string, least = -Infinity, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.number(name, least, most)
    if (value === undefined || Number.isSafeInteger(value)) return value
    throw fieldFault(this.#path + name, 'must be a whole number')
  }

  object(name: string): JsonObject | undefined {
    const value = this.#object[name]
    return value === undefined || value === null ? undefined : objectAt(value, this.#path + name)
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.#object[name]
    return value === undefined || value === null ? undefined : listAt(value, this.#path + name)
  }
}

function rangeOf(least: number, most: number): string {
  if (most === Infinity || most === Number.MAX_SAFE_INTEGER) return `must be ${least} or more`
  return `must be from ${least} to ${most}`
}

/** The members that are not undefined: optional fields are left out, not set to undefined. */
export function present<T extends object>(members: T): { [name in keyof T]: Exclude<T[name], undefined> } {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) copy[name] = value
  return copy as { [name in keyof T]: Exclude<T[name], undefined> }
}
