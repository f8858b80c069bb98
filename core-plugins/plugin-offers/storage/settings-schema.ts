import type { Schema } from '#kernel'
import type { ConfigItem } from '#sandbox'

type Fields = Readonly<Record<string, unknown>>

/** The settings of a driver as the JSON Schema that a form is made of. */
export function toSchema(items: readonly ConfigItem[]): Schema & object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    required: items.filter(({ required }) => required).map(({ key }) => key),
    properties: Object.fromEntries(items.map((item, index) => [item.key, toMember(item, index)])),
  }
}

/** The names of the settings that are secrets. */
export function secretsOf(items: readonly ConfigItem[]): ReadonlySet<string> {
  return new Set(items.filter(({ type }) => type === 'PASSWORD').map(({ key }) => key))
}

/** What the settings are unless somebody fills them in. */
export function exampleOf(items: readonly ConfigItem[]): Fields {
  return Object.fromEntries(items.flatMap((item) => (item.default === undefined ? [] : [[item.key, item.default]])))
}

function toMember(
  { key, type, label, description, options, rules = {}, default: otherwise }: ConfigItem,
  index: number,
) {
  return {
    title: label?.default ?? key,
    ...(description && { description: description.default }),
    ...typeOf(type, rules),
    ...(options && { enum: options.map((option) => (typeof option === 'string' ? option : option.value)) }),
    ...(otherwise !== undefined && { default: otherwise }),
    ...(type === 'PASSWORD' && { 'x-secret': true }),
    'x-order': index + 1,
  }
}

function typeOf(type: ConfigItem['type'], rules: NonNullable<ConfigItem['rules']>): Fields {
  const { min, max, min_value: least = min, max_value: most = max, min_length, max_length, pattern } = rules
  if (type === 'NUMBER') {
    return {
      type: 'number',
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
    }
  }
  if (type === 'BOOLEAN') return { type: 'boolean' }
  if (type === 'JSON') return { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }
  if (type === 'MULTI_SELECT' || type === 'TAG') return { type: 'array', items: { type: 'string' } }
  return {
    type: 'string',
    maxLength: max_length ?? 4_096,
    ...(min_length !== undefined && { minLength: min_length }),
    ...(pattern !== undefined && { pattern }),
  }
}
