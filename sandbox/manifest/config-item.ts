import type { ConfigType } from '#kernel'
import type { LocalisedText, Names } from './vocabulary.ts'

/** One item of its configuration, with a short key. */
export interface ConfigItem {
  readonly key: string
  readonly type: ConfigType
  /** `tenant`: each tenant its own value. `platform`: administrators only. */
  readonly scope: 'tenant' | 'platform'
  readonly label?: LocalisedText
  readonly description?: LocalisedText
  readonly options?: readonly (string | { readonly value: string; readonly label: LocalisedText })[]
  readonly default?: unknown
  readonly required?: boolean
  /** Of a PASSWORD: keys of the same scope that say where it goes. When one of them changes, it must be given again in the same write. */
  readonly boundTo?: readonly string[]
  readonly rules?: Names<'min' | 'max' | 'min_value' | 'max_value' | 'min_length' | 'max_length', number> & {
    readonly pattern?: string
  }
}
