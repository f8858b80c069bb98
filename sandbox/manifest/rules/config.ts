import type { ConfigItem } from '../config-item.ts'
import type { Report } from '../fault.ts'
import { patternFault } from '../pattern-cost.ts'
import { reportDuplicates, type Rule } from './rule.ts'

/** Its configuration: items that can be filled in, with defaults that fit. */
export const config: Rule = {
  reads: ['config'],
  check({ config = [] }, report) {
    checkConfigItems('config', config, report)
  },
}

/** Checks a list of configuration items wherever a manifest has one. */
export function checkConfigItems(field: string, items: readonly ConfigItem[], report: Report): void {
  items.forEach((item, index) => {
    checkItem(`${field}.${index}`, item, report)
    checkBond(`${field}.${index}.boundTo`, item, { items, report })
  })
  reportDuplicates(
    items,
    ({ key }) => key,
    (index) => report(`${field}.${index}.key`, 'unique', 'This key is declared twice.'),
  )
}

function checkItem(field: string, item: ConfigItem, report: Report): void {
  const { type, options, rules = {} } = item
  const chooses = type === 'SELECT' || type === 'MULTI_SELECT'
  if (chooses !== (options !== undefined))
    report(`${field}.options`, 'options', chooses ? `${type} needs options.` : `${type} has no options.`)
  const values = optionValues(item)
  reportDuplicates(values, String, (index) =>
    report(`${field}.options.${index}`, 'unique', 'This option is used twice.'),
  )
  const bounds: [low: number | undefined, high: number | undefined, name: string][] = [
    [rules.min, rules.max, 'max'],
    [rules.min_value, rules.max_value, 'max_value'],
    [rules.min_length, rules.max_length, 'max_length'],
  ]
  for (const [low, high, name] of bounds) {
    if (low !== undefined && high !== undefined && low > high)
      report(`${field}.rules.${name}`, 'bounds', 'The upper bound is below the lower one.')
  }
  const fault = rules.pattern === undefined ? undefined : patternFault(rules.pattern, rules.max_length)
  if (fault) report(`${field}.rules.pattern`, 'pattern', fault)
  if (item.default !== undefined && !fitsType(item, values))
    report(
      `${field}.default`,
      'default',
      type === 'PASSWORD' ? 'A secret has no default.' : `The default is no ${type}.`,
    )
}

/** A secret is bound to what stands beside it, in the one group of its scope. */
function checkBond(
  field: string,
  { key, type, scope, boundTo }: ConfigItem,
  { items, report }: { readonly items: readonly ConfigItem[]; readonly report: Report },
): void {
  if (boundTo === undefined) return
  if (type !== 'PASSWORD') report(field, 'bound', 'Only a secret is bound to where it goes.')
  boundTo.forEach((other, index) => {
    const place = items.find((item) => item.key === other)
    if (place?.scope !== scope || place.type === 'PASSWORD' || other === key)
      report(`${field}.${index}`, 'bound', 'Name a setting of the same scope that is no secret.')
  })
}

function optionValues({ options = [] }: ConfigItem): string[] {
  return options.map((option) => (typeof option === 'string' ? option : option.value))
}

function fitsType({ type, default: value }: ConfigItem, options: readonly string[]): boolean {
  switch (type) {
    case 'PASSWORD':
      return false
    case 'NUMBER':
      return typeof value === 'number'
    case 'BOOLEAN':
      return typeof value === 'boolean'
    case 'SELECT':
      return typeof value === 'string' && options.includes(value)
    case 'MULTI_SELECT':
      return isTexts(value) && value.every((each) => options.includes(each))
    case 'TAG':
      return isTexts(value)
    case 'JSON':
      return typeof value === 'object' && value !== null
    case 'COLOR':
      return typeof value === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)
    default:
      return typeof value === 'string'
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
