/** How a request is spread over targets. */
export const strategies = [
  ...(['priority', 'weighted', 'latency', 'cost', 'least_busy', 'balanced', 'sticky'] as const),
] as const

/** What a request is sent again after. */
export const retriedOn = ['timeout', 'connect', '5xx', '429', 'truncated_before_first_token'] as const

/** A guardrail of a plugin in the way of calls; what is absent is as the plugin says. */
interface StoredGuardrail {
  readonly plugin: string
  /** The plugin's first unless given. */
  readonly guardrail?: string
  readonly phase: readonly (typeof guardrailPhases)[number][]
  readonly mode: 'block' | 'mask' | 'flag'
  readonly on_error?: 'open' | 'closed'
  readonly timeout_ms?: number
}

/** Of which requests what was said is kept. */
export const keptPayloads = ['none', 'errors', 'all'] as const

/** When a guardrail is asked. */
export const guardrailPhases = ['input', 'output', 'output_stream'] as const

/** How the gateway works, as the wire has it; durations in the unit of their names. */
export interface GatewaySettings {
  readonly enabled: boolean
  readonly default_strategy: (typeof strategies)[number]
  readonly retry: {
    readonly max_attempts: number
    readonly on: readonly (typeof retriedOn)[number][]
    readonly backoff_ms: readonly number[]
    readonly budget_ratio: number
    readonly budget_min_per_s: number
  }
  readonly breaker: {
    readonly window_s: number
    readonly min_requests: number
    readonly error_rate: number
    readonly consecutive: number
    readonly open_s: number
    readonly open_max_s: number
    readonly half_open_probes: number
    readonly close_after: number
    readonly slow_start_s: number
    readonly panic: 'least_bad' | 'fail'
  }
  readonly timeouts: {
    readonly connect_ms: number
    readonly first_token_ms: number
    readonly idle_ms: number
    readonly total_ms: number
  }
  readonly stream: {
    readonly failover_before_first_token: boolean
    readonly after_first_token: 'terminate'
    readonly early_commit_after_ms: number
    readonly on_client_abort: 'cancel'
    /** At most 2,000. */
    readonly drain_ms: number
    readonly heartbeat_s: number
  }
  /** In the order in which they are asked. */
  readonly guardrails: readonly StoredGuardrail[]
  /** What clients of other vendors speak to. */
  readonly openai_compat: { readonly enabled: boolean; readonly path: '/v1'; readonly agents_as_models: boolean }
  readonly logging: {
    /** Of which requests what was said is kept, of tenants that let it be. */
    readonly payloads: (typeof keptPayloads)[number]
    readonly redact: boolean
    readonly retention_days: number
  }
}

/** What a model costs: micro-units of the platform's currency for a million tokens, and nano-units for a request and for each of its pictures. Whole numbers. */
export interface StoredPrice {
  readonly input: number
  readonly output: number
  readonly cached_input?: number
  readonly cache_write?: number
  readonly reasoning?: number
  readonly per_request_nano?: number
  readonly per_image_nano?: number
}
