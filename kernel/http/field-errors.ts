import type { ErrorObject } from 'ajv'
import { isTold, type FieldError } from '../errors.ts'
import { fillTemplate } from '../said.ts'
import type { Locale } from '../locale/locale.ts'
import { texts } from '../texts/texts.ts'

/** Rules by the names that configuration rules have too. */
const ruleNames: Readonly<Record<string, string>> = {
  minimum: 'min_value',
  maximum: 'max_value',
  exclusiveMinimum: 'min_value',
  exclusiveMaximum: 'max_value',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  minProperties: 'min_properties',
  maxProperties: 'max_properties',
  uniqueItems: 'unique',
  multipleOf: 'multiple_of',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  propertyNames: 'unknown_field',
  enum: 'options',
  const: 'options',
}

const mostReported = 50

/** ajv's errors as an answer shows them: the field's path with dots, the rule, a sentence, the rule's numbers. */
export function presentFieldErrors(errors: readonly ErrorObject[], locale: Locale): readonly FieldError[] {
  const told = new Set<string>()
  return errors.slice(0, mostReported).flatMap((error) => {
    const rule = ruleNames[error.keyword] ?? error.keyword
    const field = fieldOf(error)
    if (told.has(`${field} ${rule}`)) return []
    told.add(`${field} ${rule}`)
    const params = paramsOf(error)
    const template = texts.messages[locale]?.[`field.${rule}`]
    const message = template === undefined ? englishOf(error, rule) : fill(template, params)
    const spoken = template !== undefined && ({ [isTold]: true } as const)
    return [{ field, rule, message, ...(Object.keys(params).length > 0 && { params }), ...spoken }]
  })
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1)
  const path = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = params as Record<string, unknown>
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName
  return [...path, ...(typeof last === 'string' ? [last] : [])].join('.')
}

function paramsOf({ keyword, params }: ErrorObject): Record<string, unknown> {
  const { limit, allowedValues, allowedValue, type, format, multipleOf } = params as Record<string, unknown>
  if (limit !== undefined) return { [keyword.toLowerCase().includes('min') ? 'min' : 'max']: limit }
  if (allowedValues !== undefined) return { options: allowedValues }
  if (keyword === 'const') return { options: [allowedValue] }
  if (keyword === 'type') return { type }
  if (keyword === 'format') return { format }
  return keyword === 'multipleOf' ? { multiple_of: multipleOf } : {}
}

/** English is ajv's own, but for what it says in a clumsy way. */
function englishOf({ message }: ErrorObject, rule: string): string {
  if (rule === 'required') return 'is required'
  return rule === 'unknown_field' ? 'is not known here' : (message ?? 'is not valid')
}

function fill(template: string, params: Record<string, unknown>): string {
  return fillTemplate(template, { limit: textOf(params['min'] ?? params['max'] ?? ''), ...mapText(params) })
}

function mapText(params: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
