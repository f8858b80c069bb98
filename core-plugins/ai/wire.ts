import type { BodyOf } from '#kernel/schemas'
import type { simulatedBody } from './failover/schemas.ts'
import type { routeBody } from './gateway/route-schemas.ts'
import type { gatewayBody } from './gateway/settings-schemas.ts'
import type { alertRuleBody, overviewBody, requestBody } from './health/schemas.ts'
import type { modelBody } from './models/schemas.ts'
import type { versionBody, versionList } from './models/version-schemas.ts'
import type { testResult } from './provider-tests/schemas.ts'
import type { providerBody, providerOffer } from './providers/schemas.ts'
import type { statsBody } from './stats/schemas.ts'

/** A provider of models. */
export type ProviderBody = BodyOf<typeof providerBody>
/** A provider that a plugin brings. */
export type ProviderOfferBody = BodyOf<typeof providerOffer>
/** What a test of a provider found. */
export type ProviderTestBody = BodyOf<typeof testResult>
/** A model. */
export type ModelBody = BodyOf<typeof modelBody>
/** A version of a model. */
export type ModelVersionBody = BodyOf<typeof versionBody>
/** The versions of a model. */
export type ModelVersionsBody = BodyOf<typeof versionList>
/** A route of the gateway. */
export type RouteBody = BodyOf<typeof routeBody>
/** The settings of the gateway. */
export type GatewayBody = BodyOf<typeof gatewayBody>
/** Where a request would go. */
export type SimulatedBody = BodyOf<typeof simulatedBody>
/** What the gateway did lately. */
export type StatsBody = BodyOf<typeof statsBody>
/** How AI is. */
export type OverviewBody = BodyOf<typeof overviewBody>
/** A rule of alerts and where it stands. */
export type AlertRuleBody = BodyOf<typeof alertRuleBody>
/** A request in the log. */
export type RequestBody = BodyOf<typeof requestBody>
