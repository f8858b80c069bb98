/** A group of settings, with those below it. */
export interface ConfigGroup {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly readonly: boolean
  readonly scope: 'ADMIN_ONLY' | 'ALL_TENANTS'
  readonly children: readonly ConfigGroup[]
}

/** One setting, as it is now and as it may be. */
export interface ConfigItem {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly type:
    | 'STRING'
    | 'NUMBER'
    | 'BOOLEAN'
    | 'SELECT'
    | 'MULTI_SELECT'
    | 'JSON'
    | 'TEXT'
    | 'HTML'
    | 'PASSWORD'
    | 'COLOR'
    | 'IMAGE'
    | 'TAG'
    | 'FILE'
  readonly value: unknown
  readonly default: unknown
  readonly source: 'tenant' | 'platform' | 'code'
  readonly is_set: boolean
  readonly updated_by_name: string | null
  readonly required: boolean
  readonly readonly: boolean
  /** Everybody may read it, also without a session. */
  readonly public: boolean
  readonly rules: {
    readonly min_value: number | null
    readonly max_value: number | null
    readonly min: number | null
    readonly max: number | null
    readonly min_length: number | null
    readonly max_length: number | null
  }
  readonly options: readonly { readonly value: string | number; readonly label: string }[]
  readonly ui: {
    readonly placeholder: string
    readonly unit: string
    readonly visible_when: Readonly<Record<string, unknown>> | null
  }
}
