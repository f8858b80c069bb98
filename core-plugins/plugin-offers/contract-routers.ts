import { defineService, type Localised } from '#kernel'
import type { RoutedRequest, RouterCandidate } from '#sandbox'

export type { RouterCandidate } from '#sandbox'

/** What says which target of a route takes a request. */
export interface PluginRouter {
  readonly plugin: string
  readonly code: string
  readonly title: Localised
}

/** A question to a router. */
export interface RouterQuestion {
  readonly plugin: string
  /** The plugin's first unless given. */
  readonly code?: string | undefined
  /** Whose route it is; 0 is the platform. */
  readonly tenantId: number
  /** Whose request it is. */
  readonly callerId: number
  readonly request: RoutedRequest
  readonly candidates: readonly RouterCandidate[]
  readonly traceId: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The routers that plugins bring. */
export interface PluginRouters {
  /** Those of plugins that run for the tenant (0 = the platform), in the order of their plugins. */
  list(tenantId: number): readonly PluginRouter[]
  /**
   * Ids of candidates, the best first. Throws 404/4048 for a router that is not there for whose route it is, 502/5029 for an answer of a
   * wrong form, and what else a call into a plugin throws.
   */
  order(question: RouterQuestion): Promise<{ readonly order: readonly string[]; readonly cpuMs: number }>
}

/** The routers that plugins bring. */
export const pluginRouters = defineService<PluginRouters>('plugin_offers.routers')
