type Schema = Readonly<Record<string, unknown>>

/** What stands where something is kept from view. */
const hidden = '[redacted]'
const lists = ['allOf', 'anyOf', 'oneOf'] as const

/** A tool's argument as users see it: what its schema marks with `writeOnly`, `x-redact` or the format `password` is hidden. */
export function redact(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value
  if (isHidden(schema)) return hidden
  const parts = lists.flatMap((name) => (Array.isArray(schema[name]) ? (schema[name] as readonly unknown[]) : []))
  const seen = parts.reduce((shown, part) => redact(shown, part), value)
  if (Array.isArray(seen)) return (seen as readonly unknown[]).map((item, at) => redact(item, itemSchema(schema, at)))
  if (!isObject(seen)) return seen
  return Object.fromEntries(
    Object.entries(seen).map(([name, held]) => [name, redact(held, memberSchema(schema, name))]),
  )
}

function isHidden({ writeOnly, format, 'x-redact': redacted }: Schema): boolean {
  return writeOnly === true || redacted === true || format === 'password'
}

function itemSchema({ items, prefixItems }: Schema, at: number): unknown {
  return (Array.isArray(prefixItems) ? (prefixItems as readonly unknown[])[at] : undefined) ?? items
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
