import { ParamsInvalidError, withEtag, type Reply, type Locale } from '#kernel'
import { faultOf } from './faults.ts'
import type { View } from './personal-preferences.ts'
import { describePreference, presentPreference } from './present.ts'

/** What a reader asks for. */
interface ViewQuery {
  /** Keys with commas between them; all of them unless said otherwise. */
  readonly keys?: string
  readonly describe?: boolean
}

/** The body of a list of preferences; throws 422/4221 for a key that nobody declares. */
export function answerView({ effective, version }: View, query: ViewQuery, locale: Locale): Reply {
  const wanted = query.keys === undefined ? undefined : readKeys(query.keys)
  const known = new Set(effective.map(({ preference }) => preference.key))
  const unknown = [...(wanted ?? [])].filter((key) => !known.has(key))
  if (unknown.length > 0) {
    throw new ParamsInvalidError({ errors: [faultOf('keys', 'unknown_key', locale, { keys: unknown })] })
  }
  const shown = wanted ? effective.filter(({ preference }) => wanted.has(preference.key)) : effective
  const items = shown.map((each) => (query.describe ? describePreference(each, locale) : presentPreference(each)))
  return withEtag({ items, version }, version)
}

function readKeys(text: string): ReadonlySet<string> {
  const keys = text.split(',').map((key) => key.trim())
  return new Set(keys.filter((key) => key !== ''))
}
