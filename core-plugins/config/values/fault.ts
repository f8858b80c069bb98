import type { FieldError } from '#kernel'

/** Rule → sentence, by language; `{names}` are the fault's parameters. */
const sentences: Readonly<Record<string, Readonly<Record<FaultRule, string>>>> = {
  en: {
    type: 'Must be {expected}',
    required: 'Must not be empty',
    min: 'Must be at least {min}',
    max: 'Must be at most {max}',
    min_value: 'Must be at least {min_value}',
    max_value: 'Must be at most {max_value}',
    min_length: 'Must have a length of at least {min_length}',
    max_length: 'Must have a length of at most {max_length}',
    pattern: 'Must match the pattern {pattern}',
    format: 'Is no valid {format}',
    options: 'Must be one of the options',
    readonly: 'Cannot be changed here',
    locked: 'Is set by the platform',
    reset: 'Cannot be set and reset at once',
    bound: 'Give it again: it is not sent elsewhere than before ({by} changes)',
  },
  'zh-CN': {
    type: '类型必须是{expected}',
    required: '不能为空',
    min: '不能小于 {min}',
    max: '不能大于 {max}',
    min_value: '不能小于 {min_value}',
    max_value: '不能大于 {max_value}',
    min_length: '长度不能小于 {min_length}',
    max_length: '长度不能大于 {max_length}',
    pattern: '必须符合格式 {pattern}',
    format: '不是有效的 {format}',
    options: '必须是可选项之一',
    readonly: '不能在此修改',
    locked: '已由平台锁定',
    reset: '不能同时设置和重置',
    bound: '请重新填写：{by} 已更改，原密钥不会发送到新的地址',
  },
}

/** The rules a value can break. */
export type FaultRule =
  | 'type'
  | 'required'
  | 'min'
  | 'max'
  | 'min_value'
  | 'max_value'
  | 'min_length'
  | 'max_length'
  | 'pattern'
  | 'format'
  | 'options'
  | 'readonly'
  | 'locked'
  | 'reset'
  | 'bound'

/** A broken rule with its parameters. */
export interface Fault {
  readonly rule: FaultRule
  readonly params?: Readonly<Record<string, string | number>>
}

/** A fault of a field in a language, as it stands in an answer. */
export function presentFault(field: string, { rule, params = {} }: Fault, locale = 'en'): FieldError {
  const template = (sentences[locale] ?? sentences['en'])?.[rule] ?? rule
  const message = template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
  return { field, rule, message, params }
}
