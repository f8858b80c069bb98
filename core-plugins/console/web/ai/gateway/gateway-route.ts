import type { RouteBody } from '../../../../ai/wire.ts'

/** A place that a route sends requests to. */
export type RouteTarget = RouteBody['targets'][number]
/** A model that is asked instead, and what it is asked after. */
export type RouteFallback = RouteBody['fallbacks'][number]
/** A route of the gateway. Its version is also its ETag. */
export type GatewayRoute = RouteBody
