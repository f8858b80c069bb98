import type { ErrorObject } from 'ajv'
import { fillTemplate, type FieldError } from '../errors.ts'
import type { Locale } from './locale.ts'

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

const chinese: Readonly<Record<string, string>> = {
  required: '必填',
  unknown_field: '未知字段',
  type: '类型应为 {type}',
  min_value: '不能小于 {limit}',
  max_value: '不能大于 {limit}',
  min_length: '长度不能少于 {limit}',
  max_length: '长度不能超过 {limit}',
  min_items: '不能少于 {limit} 项',
  max_items: '不能超过 {limit} 项',
  unique: '不能有重复项',
  options: '不是允许的值',
  pattern: '格式不符合要求',
  format: '不是有效的 {format}',
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
    const message = messageOf(error, rule, params, locale)
    return [{ field, rule, message, ...(Object.keys(params).length > 0 && { params }) }]
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

function messageOf(error: ErrorObject, rule: string, params: Record<string, unknown>, locale: Locale): string {
  const template = locale === 'zh-CN' ? chinese[rule] : undefined
  if (template === undefined) {
    if (rule === 'required') return 'is required'
    return rule === 'unknown_field' ? 'is not known here' : (error.message ?? 'is not valid')
  }
  return fillTemplate(template, { limit: textOf(params['min'] ?? params['max'] ?? ''), ...mapText(params) })
}

function mapText(params: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
