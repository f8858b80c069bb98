import type { BodyOf } from '#kernel/schemas'
import type { change } from './changes/schemas.ts'
import type { legalBody } from './public/legal/schemas.ts'
import type { platformConfig, tenantConfig } from './public/schemas.ts'
import type { configGroup, configItem, difference, fernetKey, ownCount, writeResult } from './schemas.ts'
import type { readinessResponse } from './ssl/schemas.ts'

/** A group of settings, with those that lie in it. */
export type ConfigGroupBody = BodyOf<typeof configGroup> & { readonly children: readonly ConfigGroupBody[] }
/** A setting, as it is and as it may be. */
export type ConfigItemBody = BodyOf<typeof configItem>
/** What a write did. */
export type ConfigWriteBody = BodyOf<typeof writeResult>
/** How many tenants have their own value of a setting. */
export type OwnCountBody = BodyOf<typeof ownCount>
/** A value that a tenant has set otherwise than the platform. */
export type ConfigDifferenceBody = BodyOf<typeof difference>
/** A request for a change. */
export type ConfigChangeBody = BodyOf<typeof change>
/** A new key. */
export type FernetKeyBody = BodyOf<typeof fernetKey>
/** What the name servers say of the platform’s domains. */
export type SslReadinessBody = BodyOf<typeof readinessResponse>
/** A legal text of a tenant. */
export type LegalBody = BodyOf<typeof legalBody>
/** What anybody may know of the platform. */
export type PlatformConfigBody = BodyOf<typeof platformConfig>
/** What anybody at the host of a tenant may know of it. */
export type TenantConfigBody = BodyOf<typeof tenantConfig>
