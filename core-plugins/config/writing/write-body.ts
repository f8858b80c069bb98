import { ValidationFailedError, type FieldError } from '#kernel'

/** What a body asks to write. */
interface WriteBody {
  readonly values: Readonly<Record<string, unknown>>
  readonly reset: readonly string[]
}

const wrappers: ReadonlySet<string> = new Set(['values', 'configs', 'items', 'reset'])

/** Reads a flat or a wrapped body; it is wrapped when each of its members is the name of a wrapper. */
export function readWriteBody(body: Readonly<Record<string, unknown>>): WriteBody {
  const members = Object.keys(body)
  const isWrapped = members.length > 0 && members.every((member) => wrappers.has(member))
  if (!isWrapped) return { values: body, reset: [] }
  const { values = {}, configs = {}, items = [], reset = [] } = body
  const faults = [
    ...(isRecord(values) ? [] : [fault('values', 'an object')]),
    ...(isRecord(configs) ? [] : [fault('configs', 'an object')]),
    ...(isItems(items) ? [] : [fault('items', 'a list of {key, value}')]),
    ...(isKeys(reset) ? [] : [fault('reset', 'a list of keys')]),
  ]
  if (faults.length > 0) throw new ValidationFailedError({ errors: faults })
  const listed = (items as readonly { key: string; value: unknown }[]).map(({ key, value }) => [key, value] as const)
  const entries = [...Object.entries(values as object), ...Object.entries(configs as object), ...listed]
  return { values: Object.fromEntries(entries), reset: reset as readonly string[] }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isItems(value: unknown): boolean {
  const isItem = (entry: unknown): boolean =>
    isRecord(entry) && typeof (entry as { key?: unknown }).key === 'string' && Object.hasOwn(entry as object, 'value')
  return Array.isArray(value) && value.every(isItem)
}

function isKeys(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function fault(field: string, expected: string): FieldError {
  return { field, rule: 'type', message: `Must be ${expected}`, params: { expected } }
}
