import type { BodyOf } from '#kernel/schemas'
import type {
  metricsBody,
  ownMetricsBody,
  tenantCostBody,
  tenantsCostBody,
  topBody,
  usage,
  usagePart,
} from './schemas.ts'

/** What calls of plugins did and cost. */
export type UsageBody = BodyOf<typeof usage>
/** The same in a part of the time. */
export type UsagePartBody = BodyOf<typeof usagePart>
/** What a plugin did and cost. */
export type PluginMetricsBody = BodyOf<typeof metricsBody>
/** The same for one tenant. */
export type OwnMetricsBody = BodyOf<typeof ownMetricsBody>
/** The plugins with the most of something. */
export type TopPluginsBody = BodyOf<typeof topBody>
/** What each tenant cost. */
export type TenantsCostBody = BodyOf<typeof tenantsCostBody>
/** What one tenant cost. */
export type TenantCostBody = BodyOf<typeof tenantCostBody>
