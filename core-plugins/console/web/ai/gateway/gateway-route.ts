/** A place that a route sends requests to. */
export interface RouteTarget {
  readonly id: string
  readonly model: string
  readonly tier?: number
  readonly weight?: number
}

/** A route of the gateway. */
export interface GatewayRoute {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly priority: number
  readonly match: { readonly models?: readonly string[] }
  readonly strategy: string | null
  readonly targets: readonly RouteTarget[]
  readonly fallbacks: readonly { readonly on: readonly string[]; readonly model: string }[]
}
