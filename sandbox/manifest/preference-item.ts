import type { LocalisedText } from './vocabulary.ts'

/** Something that users may choose for themselves, or their administrators for all of them. */
export interface PreferenceItem {
  readonly key: string
  readonly title: LocalisedText
  /** JSON Schema of its values, without `pattern` and `format`; a value is at most 4 KB of JSON. */
  readonly schema: Readonly<Record<string, unknown>>
  /** What holds until somebody chooses. */
  readonly default: unknown
}
