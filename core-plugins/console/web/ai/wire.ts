/** How a target does. */
export interface Health {
  readonly state: string
  readonly success_rate_5m: number | null
  readonly ttft_p50_ms: number | null
}

/** A provider of AI models. */
export interface Provider {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly type: string
  /** Of a plugin’s provider. */
  readonly plugin: { readonly name: string; readonly provider: string } | null
  /** Of a plugin’s provider, secrets apart. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly scope: string
  readonly tenant_id: number | null
  readonly base_url: string | null
  readonly credentials: Readonly<
    Record<string, { readonly set: boolean; readonly hint: string | null; readonly state: string }>
  >
  readonly status: 'enabled' | 'disabled'
  readonly health: Health
  /** Also its ETag. */
  readonly version: number
}

/** What a test of a provider came to. */
export interface TestedProvider {
  readonly ok: boolean
  readonly cost: string
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly ms?: number
    readonly detail?: string
  }[]
  readonly models: readonly string[]
}

/** What a model costs, as digits. */
export interface Price {
  readonly input: string
  readonly output: string
  readonly currency: string
  readonly unit: string
  readonly effective_from?: string
}

/** A version of a model. */
export interface ModelVersion {
  readonly version: number
  readonly state: string
  readonly upstream_model: string
  readonly price: Price | null
  readonly note: string
  readonly canary: {
    readonly percent: number
    readonly until: string
    readonly abort_if_error_rate?: number
  } | null
  readonly effective_from?: string
  readonly provider_id: string
  readonly context_window: number | null
  readonly max_output_tokens: number | null
  readonly default_output_tokens: number | null
  readonly tokenizer: string | null
  readonly params: Readonly<Record<string, unknown>>
  readonly drop_params: readonly string[]
}

/** How many attempts with a version went wrong. */
export interface VersionFigures {
  readonly version: number
  readonly attempts: number
  readonly failures: number
  readonly error_rate: number | null
}

/** How a canary goes beside the version that is used. */
export interface CanaryComparison {
  readonly since: string
  readonly canary: VersionFigures
  readonly stable: VersionFigures
}

/** A model. */
export interface Model {
  readonly id: string
  readonly name: string
  readonly display_name: string
  readonly aliases: readonly string[]
  readonly kind: string
  readonly status: string
  readonly provider_id: string
  readonly upstream_model: string
  readonly context_window: number | null
  readonly max_output_tokens: number | null
  readonly price: Price | null
  readonly active_version: number
  readonly health: Health
  /** Also its ETag. */
  readonly version: number
  readonly versions?: readonly ModelVersion[]
}

/** A limit of what AI calls may use. */
export interface Quota {
  readonly id: string
  readonly name: string
  readonly metric: string
  readonly limit: string
  readonly mode: string
  readonly status: string
  readonly tenant_id: number | null
  readonly is_platforms: boolean
  readonly per: readonly string[]
  /** What alone is counted: an agent, a model, a key …; null is whichever. */
  readonly scope?: Readonly<Record<string, string | number | null>>
  readonly window: { readonly kind?: string; readonly unit?: string; readonly seconds?: number }
  /** The share of the limit that is used of its fullest bucket; lists tell it. */
  readonly ratio?: number
}

/** How much of a quota is used. */
export interface QuotaUse {
  readonly buckets: readonly {
    readonly bucket?: string
    readonly key?: Readonly<Record<string, unknown>>
    readonly window?: { readonly from?: string; readonly to?: string | null }
    readonly used?: string
    readonly ratio?: number
    readonly resets_at?: string | null
    readonly blocked?: boolean
    readonly denied_requests?: number
  }[]
  readonly history: readonly { readonly from?: string; readonly to?: string | null; readonly used?: string }[]
  readonly adjustments: readonly {
    readonly id?: string
    readonly before?: string
    readonly after?: string
    readonly reason?: string
    readonly at?: string
  }[]
}

/** A key with which programs call AI. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly key?: string
  readonly hint: string
  readonly status: string
  /** Null is the platform. */
  readonly tenant_id: number | null
  readonly owner: { readonly user_id: number | null }
  readonly scopes: readonly string[]
  readonly models: readonly string[]
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly usage_30d: { readonly requests: number; readonly cost: string }
}
