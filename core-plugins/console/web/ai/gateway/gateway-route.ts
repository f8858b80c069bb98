/** A place that a route sends requests to. */
export interface RouteTarget {
  readonly id: string
  readonly model: string
  readonly tier?: number
  readonly weight?: number
}

/** A model that is asked instead, and what it is asked after. */
export interface RouteFallback {
  readonly on: readonly string[]
  readonly model: string
  readonly notify?: boolean
}

/** Which requests a route is for; what is left out, and an empty list, is anything. */
interface RouteMatch {
  readonly models?: readonly string[]
  readonly tenants?: readonly number[]
  readonly agents?: readonly string[]
  readonly keys?: readonly string[]
  readonly when?: { readonly has_tools?: boolean; readonly input_tokens_gt?: number }
}

/** A route of the gateway. */
export interface GatewayRoute {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly priority: number
  readonly match: RouteMatch
  readonly strategy: string | null
  readonly targets: readonly RouteTarget[]
  readonly fallbacks: readonly RouteFallback[]
  /** Also its ETag. */
  readonly version: number
}
