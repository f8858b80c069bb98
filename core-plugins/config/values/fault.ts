import { toldIn, type FieldError } from '#kernel'
import { texts } from '../texts/texts.ts'

/** The rules a value can break. */
type FaultRule =
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
export function presentFault(field: string, { rule, params = {} }: Fault, locale?: string): FieldError {
  const message = texts.tell(`fault.${rule}`, locale, params)
  return { field, rule, message, params, ...toldIn(locale) }
}
