import { base64Of, bytesOfBase64 } from '../argument.ts'
import { Refusal } from '../refusal.ts'
import type { ColumnFamily, TableColumn } from './table-catalogue.ts'

/** What is bound to a statement: never an object of the guest's making. */
export type Binding = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[]

const integer = /^-?\d{1,19}$/
const numeric = /^-?\d{1,100}(\.\d{1,100})?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const maxTime = 64
const maxInteger = 2_147_483_647
const maxElements = 1_000

/** A value as it is bound, checked against the column it is compared with or written to; JSON is written as text. */
export function bindValue(name: string, column: TableColumn, value: unknown): Binding {
  if (value === null) return null
  if (!column.isArray) return bindScalar(name, column.family, value)
  if (!Array.isArray(value) || value.length > maxElements || column.family === 'json' || column.family === 'bytes') {
    throw mismatch(name, `a list of at most ${maxElements} ${column.family} values`)
  }
  return value.map((item) => (item === null ? null : (bindScalar(name, column.family, item) as string)))
}

function bindScalar(name: string, family: ColumnFamily, value: unknown): Exclude<Binding, readonly unknown[]> {
  switch (family) {
    case 'integer':
      if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= maxInteger + 1) return value
      throw mismatch(name, 'a whole number')
    case 'bigint':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value
      if (typeof value === 'string' && integer.test(value)) return value
      throw mismatch(name, 'a whole number, or its digits as text')
    case 'float':
      if (typeof value === 'number') return value
      throw mismatch(name, 'a number')
    case 'numeric':
      if (typeof value === 'number') return value
      if (typeof value === 'string' && numeric.test(value)) return value
      throw mismatch(name, 'a number, or its digits as text')
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw mismatch(name, 'a boolean')
    case 'text':
      return textOf(name, value)
    case 'uuid':
      if (typeof value === 'string' && uuid.test(value)) return value
      throw mismatch(name, 'a UUID')
    case 'instant':
    case 'timestamp':
    case 'time':
      if (typeof value === 'string' && value.length <= maxTime) return textOf(name, value)
      throw mismatch(name, 'a date or time as text')
    case 'json':
      return jsonOf(name, value)
    case 'bytes':
      return bytesOf(name, value)
  }
}

function textOf(name: string, value: unknown): string {
  // Half a character would be kept as another one.
  if (typeof value === 'string' && !value.includes('\0') && value.isWellFormed()) return value
  throw mismatch(name, 'a text of whole characters without NUL')
}

/** PostgreSQL cannot keep NUL in JSON either. */
function jsonOf(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u0000')) return text
  throw mismatch(name, 'JSON without NUL')
}

function bytesOf(name: string, value: unknown): Buffer {
  const base64 = base64Of(value)
  if (base64 !== undefined) return bytesOfBase64(base64)
  throw mismatch(name, 'bytes as { base64 }')
}

function mismatch(name: string, expected: string): Refusal {
  return new Refusal('invalid', 'value_invalid', `The column ${name} takes ${expected}`, { column: name })
}
