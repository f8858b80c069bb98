import type { ErrorObject } from 'ajv'
import { toldIn, type FieldError, type Locale } from '#kernel'
import { english } from './texts/en.ts'
import { texts } from './texts/texts.ts'

const mostReported = 50

/** ajv's keywords by the names that rules have on the wire. */
const ruleNames: Readonly<Record<string, string>> = {
  enum: 'options',
  const: 'options',
  minimum: 'min_value',
  exclusiveMinimum: 'min_value',
  maximum: 'max_value',
  exclusiveMaximum: 'max_value',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  additionalProperties: 'unknown_field',
}

/** One broken rule of a field, in a language. */
export function faultOf(
  field: string,
  rule: string,
  locale: Locale,
  params: Readonly<Record<string, unknown>> = {},
): FieldError {
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)]))
  const message = texts.tell(keyOf(rule), locale, values)
  return { field, rule, message, ...(Object.keys(params).length > 0 && { params }), ...toldIn(locale) }
}

/** ajv's errors as an answer shows them, below the preference's key. */
export function presentFaults(key: string, errors: readonly ErrorObject[], locale: Locale): readonly FieldError[] {
  return errors.slice(0, mostReported).map((error) => {
    const params = error.params as Readonly<Record<string, unknown>>
    const missing = params['missingProperty'] ?? params['additionalProperty']
    const steps = error.instancePath.split('/').slice(1)
    const path = [key, ...steps, ...(typeof missing === 'string' ? [missing] : [])].join('.')
    return faultOf(path, ruleNames[error.keyword] ?? error.keyword, locale, paramsOf(error.keyword, params))
  })
}

function keyOf(rule: string): keyof typeof english {
  const key = `fault.${rule}`
  return Object.hasOwn(english, key) ? (key as keyof typeof english) : 'fault.other'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function paramsOf(keyword: string, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { limit, type, format, allowedValues, allowedValue } = params
  if (limit !== undefined) return { [keyword.toLowerCase().includes('min') ? 'min' : 'max']: limit }
  if (allowedValues !== undefined) return { options: allowedValues }
  if (keyword === 'const') return { options: [allowedValue] }
  if (type !== undefined) return { type }
  return format === undefined ? {} : { format }
}
