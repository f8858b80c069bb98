/** The parts of a JSON Schema that decide what a value looks like. */
export interface SampledSchema {
  readonly format?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SampledSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly SampledSchema[]
  readonly oneOf?: readonly SampledSchema[]
  readonly items?: SampledSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly minProperties?: number
}

// What a pattern asks for cannot be made up from it; members of these names have such patterns.
const byName: Readonly<Record<string, unknown>> = {
  email: 'somebody@stoa.test',
  new_password: 'another long enough phrase',
  password: 'another long enough phrase',
  code: 'sample',
  domain: 'sample.stoa.test',
}

/** A value that fits a schema as far as shapes go: required members only, and one where at least one is asked for. */
export function sampleOf(schema: SampledSchema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type
  if (type === 'object' || schema.properties) return sampleObject(schema)
  if (name in byName) return byName[name]
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z'
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (choice && type === undefined) return sampleOf(choice, name)
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}, name))
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  return 'sample'.padEnd(schema.minLength ?? 0, 'e')
}

function sampleObject(schema: SampledSchema): object {
  const { properties = {}, required = [], minProperties = 0 } = schema
  const chosen = (schema.anyOf ?? schema.oneOf)?.[0]?.required ?? []
  const names = new Set([...required, ...chosen])
  for (const name of Object.keys(properties)) if (names.size < minProperties) names.add(name)
  return Object.fromEntries([...names].map((name) => [name, sampleOf(properties[name] ?? {}, name)]))
}
