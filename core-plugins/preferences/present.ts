import { versionOfText, type Locale } from '#kernel'
import { canonicalJson } from './canonical-json.ts'
import type { Effective } from './levels.ts'

/** What holds for one preference, as the wire shows it. */
export function presentPreference({ preference, value, source, globalValue }: Effective) {
  return {
    key: preference.key,
    value,
    source,
    global_value: globalValue ?? null,
    system_value: preference.default,
    overridable: true,
  }
}

/** The same with what a form for it has to know. */
export function describePreference(effective: Effective, locale: Locale) {
  const { name, schema } = effective.preference
  return { ...presentPreference(effective), name: name[locale] ?? name.default, schema }
}

/** The version of what holds: the same on every host, another when anything is another. */
export function versionOf(effective: readonly Effective[]): string {
  const text = canonicalJson(effective.map(presentPreference))
  return versionOfText(text)
}
