import type { AttemptRow, Purpose, Spender } from '../../ai-ledger/contract.ts'
import type { Finding } from '../guard/types.ts'
import type { NeutralRequest } from '../wire/neutral.ts'
import type { FaultClass } from './fault.ts'
import type { Heard } from './heard.ts'
import type { UsedFallback } from './plan.ts'

/** One attempt, as the request log and the figures of the gateway have it. */
export interface AttemptRecord {
  /** As the route names it. */
  readonly target: string
  /** Provider and upstream model. */
  readonly key: string
  readonly providerId: string
  readonly modelId: string
  /** By name. */
  readonly model: string
  readonly modelVersion: number
  /** The provider's HTTP status; 0 where there was none. */
  readonly status: number
  readonly class: FaultClass | 'ok' | 'client_abort'
  readonly ms: number
  readonly ttftMs: number | undefined
  /** In English, without secrets. */
  readonly detail: string | undefined
  readonly because: string
}

/** A call that is over, for whoever counts and keeps calls. */
export interface CallRecord {
  readonly requestId: string
  readonly traceId: string
  readonly at: Date
  readonly spender: Spender
  readonly purpose: Purpose
  /** As the client named it. */
  readonly model: string
  readonly routeId: string | undefined
  readonly route: string | undefined
  readonly stream: boolean
  readonly attempts: readonly AttemptRecord[]
  /** `ok`, `client_abort`, or the reason of the error that the client got. */
  readonly outcome: string
  readonly rows: readonly AttemptRow[]
  /** What guardrails found, without a word of what was said. */
  readonly findings: readonly Finding[]
  /** A fallback that was taken, where administrators are to be told. */
  readonly fallback?: UsedFallback | undefined
  /** What was said, as it went out and came back; undefined where it is not kept. */
  readonly said?: { readonly request: NeutralRequest; readonly heard: Heard['words'] } | undefined
  readonly durationMs: number
  readonly ttftMs: number | undefined
}

/** Hears of every call that is over; must not throw. */
export type CallListener = (record: CallRecord) => void
