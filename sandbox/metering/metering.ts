import type { Said } from '#kernel'
import type { BreakerState } from '../health/breaker.ts'
import type { PoolStats } from '../wire/call.ts'
import type { Counts } from './account.ts'

export type { BreakerState, Counts }

/** What an account is kept for: a tenant's id (`0` = the platform), a handler's kind and name, a granted host, or a reason of kills. */
export type AccountKind = 'tenant' | 'handler' | 'host' | 'kill'

/** What one plugin used, for one tenant, by one handler, or the like. */
export interface UsageEntry extends Counts {
  readonly plugin: string
  readonly kind: AccountKind
  readonly name: string
}

/** How a plugin is in this process now. */
export interface PluginGauges {
  readonly plugin: string
  readonly breaker: BreakerState
  /** Of its isolate, buffers included, when last looked at, in bytes; undefined before its first call has ended. */
  readonly heapBytes: number | undefined
  /** Resident bytes of the sandbox host that it ran in last. */
  readonly laneBytes: number | undefined
}

/** One of a plugin's latest failures. */
export interface RecentFailure {
  readonly at: Date
  /** 0 = the platform. */
  readonly tenantId: number
  /** Kind and name of the handler. */
  readonly target: string
  readonly code: number
  readonly reason: string
  /** What the plugin said, cleared of its secrets; for authors and administrators, never for callers. What it did not say itself is told by a text. */
  readonly message: Said
  readonly traceId: string
  /** Where it was thrown, in the author's lines where the release has a source map. */
  readonly stack: string | undefined
}

/** A failure with the plugin whose it is. */
export interface PluginFailure extends RecentFailure {
  readonly plugin: string
}

/** What this process knows of the cost of plugins. */
export interface Metering {
  /** Everything since the process started. */
  totals(): readonly UsageEntry[]
  /** What was added since the last time. */
  takeChanges(): readonly UsageEntry[]
  /** The failures since the last time, at most 20 of each plugin, oldest first. */
  takeFailures(): readonly PluginFailure[]
  /** Of every plugin that was called or failed since the process started. */
  gauges(): readonly PluginGauges[]
  /** The sandbox hosts of this process. */
  pool(): PoolStats
  /** Forgets a tenant that was deleted. */
  forgetTenant(tenantId: number): void
}
