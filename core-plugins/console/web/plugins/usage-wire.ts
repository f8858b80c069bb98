/** What calls of plugins did and cost. */
export interface PluginUse {
  readonly calls: number
  readonly errors: { readonly plugin: number; readonly limit: number; readonly upstream: number; readonly host: number }
  readonly refusals: number
  readonly cpu_ms: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly egress: { readonly requests: number; readonly sent_bytes: number; readonly received_bytes: number }
}

/** All errors together. */
export function errorsOf({ errors }: PluginUse): number {
  return errors.plugin + errors.limit + errors.upstream + errors.host
}
