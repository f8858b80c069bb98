import type { OnExceed } from '../contract.ts'
import type { Span } from '../windows/span.ts'

/** What a quota counts. */
export type Metric =
  | 'requests'
  | 'input_tokens'
  | 'output_tokens'
  | 'tokens'
  | 'cost'
  | 'concurrency'
  | 'tool_calls'
  | 'tool_cpu_ms'
  | 'sandbox_ms'

/** Of what each distinct one has a bucket of its own. */
export type Share = 'tenant' | 'user' | 'key' | 'agent' | 'model' | 'provider'

/** A limit on what some calls take in a window. */
export interface Quota {
  readonly id: string
  /** 0 is the platform's, over all tenants. */
  readonly tenantId: number
  readonly name: string
  /** Calls that it is for; null is all. */
  readonly scope: {
    readonly agentId: string | null
    readonly modelId: string | null
    readonly keyId: string | null
    readonly userId: number | null
    readonly providerId: string | null
  }
  readonly per: readonly Share[]
  readonly metric: Metric
  /** In whole numbers; of cost in nano-units. */
  readonly limit: bigint
  readonly span: Span
  /** A soft one counts and warns, and refuses nothing. */
  readonly mode: 'hard' | 'soft'
  /** Whether calls hold their worst case, or what they will probably not exceed: then a limit may be passed by what was taken too low. */
  readonly estimate: 'strict' | 'estimate'
  readonly onExceed: OnExceed
  /** Shares of the limit, ascending. */
  readonly warnAt: readonly number[]
}
