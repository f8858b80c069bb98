import type { ErrorObject } from 'ajv'
import type { FieldError, RequestState } from '#kernel'

/** The language of a fault. */
export type Locale = RequestState['locale']

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

const sentences: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    unknown_key: 'There is no such preference',
    too_large: 'Must not be longer than {max} bytes of JSON',
    type: 'Must be of the type {type}',
    options: 'Must be one of the options',
    required: 'Must not be missing',
    pattern: 'Does not have the right form',
    format: 'Is no valid {format}',
    min_value: 'Must be at least {min}',
    max_value: 'Must be at most {max}',
    min_length: 'Must have a length of at least {min}',
    max_length: 'Must have a length of at most {max}',
    min_items: 'Must have at least {min} entries',
    max_items: 'Must have at most {max} entries',
    unknown_field: 'Is not known here',
    other: 'Is not valid',
  },
  'zh-CN': {
    unknown_key: '没有该偏好设置',
    too_large: 'JSON 不能超过 {max} 字节',
    type: '类型应为 {type}',
    options: '必须是可选项之一',
    required: '必填',
    pattern: '格式不符合要求',
    format: '不是有效的 {format}',
    min_value: '不能小于 {min}',
    max_value: '不能大于 {max}',
    min_length: '长度不能小于 {min}',
    max_length: '长度不能大于 {max}',
    min_items: '不能少于 {min} 项',
    max_items: '不能多于 {max} 项',
    unknown_field: '未知字段',
    other: '无效',
  },
}

/** One broken rule of a field, in a language. */
export function faultOf(
  field: string,
  rule: string,
  locale: Locale,
  params: Readonly<Record<string, unknown>> = {},
): FieldError {
  const template = sentences[locale][rule] ?? sentences[locale]['other'] ?? rule
  const message = template.replace(/\{(\w+)\}/g, (_, name: string) => textOf(params[name]))
  return { field, rule, message, ...(Object.keys(params).length > 0 && { params }) }
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
