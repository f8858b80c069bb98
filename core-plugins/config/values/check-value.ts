import { isTimeZone, type ConfigItemDeclaration } from '#kernel'
import type { Fault } from './fault.ts'
import type { PatternMatcher } from './matches-pattern.ts'
import { expectedOf, isEmptyValue, normaliseValue } from './normalise.ts'

/** A normalised value, or what is wrong with the one that was given. */
type Checked = { readonly value: unknown; readonly faults: readonly Fault[] }

/** Normalises a value to its item's type and holds it against the item's rules. */
export function checkValue(item: ConfigItemDeclaration, given: unknown, matches: PatternMatcher): Checked {
  const normalised = normaliseValue(item.type, given)
  if (normalised === undefined) return failed({ rule: 'type', params: { expected: expectedOf[item.type] } })
  const value = toOptionValues(item, normalised)
  if (isEmptyValue(value)) return item.required ? failed({ rule: 'required' }) : { value, faults: [] }
  const faults = [
    ...boundFaults(item, value),
    ...patternFaults(item, value, matches),
    ...formatFaults(item, value),
    ...optionFaults(item, value),
  ]
  return { value, faults }
}

function failed(fault: Fault): Checked {
  return { value: undefined, faults: [fault] }
}

/** Forms send "5" where the option is 5: the option's own value is what is kept. */
function toOptionValues({ type, options = [] }: ConfigItemDeclaration, value: unknown): unknown {
  if (type !== 'SELECT' && type !== 'MULTI_SELECT') return value
  const byText = new Map(options.map((option) => [String(option.value), option.value]))
  if (Array.isArray(value)) return [...new Set(value.map((entry: unknown) => byText.get(String(entry)) ?? entry))]
  return byText.get(String(value)) ?? value
}

function boundFaults({ rules = {} }: ConfigItemDeclaration, value: unknown): readonly Fault[] {
  const size = lengthOf(value)
  const amount = typeof value === 'number' ? value : undefined
  return [
    ...below('min', amount, rules.min),
    ...below('min_value', amount, rules.min_value),
    ...above('max', amount, rules.max),
    ...above('max_value', amount, rules.max_value),
    ...below('min_length', size, rules.min_length),
    ...above('max_length', size, rules.max_length),
  ]
}

type Bound = 'min' | 'max' | 'min_value' | 'max_value' | 'min_length' | 'max_length'

function below(rule: Bound, actual: number | undefined, limit: number | undefined): readonly Fault[] {
  const isBroken = actual !== undefined && limit !== undefined && actual < limit
  return isBroken ? [{ rule, params: { [rule]: limit } }] : []
}

function above(rule: Bound, actual: number | undefined, limit: number | undefined): readonly Fault[] {
  const isBroken = actual !== undefined && limit !== undefined && actual > limit
  return isBroken ? [{ rule, params: { [rule]: limit } }] : []
}

/** Texts count in code points, lists in entries. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : undefined
}

function patternFaults({ rules }: ConfigItemDeclaration, value: unknown, matches: PatternMatcher): readonly Fault[] {
  const pattern = rules?.pattern
  if (pattern === undefined) return []
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  return matches(pattern, texts) === 'yes' ? [] : [{ rule: 'pattern', params: { pattern } }]
}

function formatFaults({ rules }: ConfigItemDeclaration, value: unknown): readonly Fault[] {
  const format = rules?.format
  return format === undefined || isTimeZone(String(value)) ? [] : [{ rule: 'format', params: { format } }]
}

function optionFaults(item: ConfigItemDeclaration, value: unknown): readonly Fault[] {
  if ((item.type !== 'SELECT' && item.type !== 'MULTI_SELECT') || item.dynamicOptions) return []
  const allowed = new Set<unknown>((item.options ?? []).map((option) => option.value))
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  return chosen.every((entry) => allowed.has(entry)) ? [] : [{ rule: 'options' }]
}
