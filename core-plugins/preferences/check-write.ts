import type { Locale } from '#kernel'
import type { PreferenceTable } from './catalogue.ts'
import { PreferenceInvalidError } from './errors.ts'
import { faultOf } from './faults.ts'

const mostReported = 50

/** Holds all of a write against the catalogue; throws 422/4222 with every fault at once, an unknown key among them. */
export function checkValues(
  table: PreferenceTable,
  values: Readonly<Record<string, unknown>>,
  locale: Locale,
  /** Whether null is allowed for every key, because it takes the value away. */
  nulls: 'remove' | 'are-values',
): void {
  const errors = Object.entries(values).flatMap(([key, value]) => {
    const preference = table.find(key)
    if (!preference) return [faultOf(key, 'unknown_key', locale)]
    return value === null && nulls === 'remove' ? [] : preference.check.explain(value, locale)
  })
  if (errors.length > 0) throw new PreferenceInvalidError({ errors: errors.slice(0, mostReported) })
}

/** Holds keys against the catalogue; throws 422/4222 with every unknown one. */
export function checkKeys(table: PreferenceTable, keys: readonly string[], locale: Locale): void {
  const errors = keys.filter((key) => !table.find(key)).map((key) => faultOf(key, 'unknown_key', locale))
  if (errors.length > 0) throw new PreferenceInvalidError({ errors: errors.slice(0, mostReported) })
}
