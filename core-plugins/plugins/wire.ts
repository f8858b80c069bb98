import type { BodyOf } from '#kernel/schemas'
import type { backupBody } from './backups/schemas.ts'
import type { capabilities } from './choices/schemas.ts'
import type { slotsBody, upgradePlan } from './shared/answer-schemas.ts'
import type { consent } from './shared/consent-schemas.ts'
import type { operationBody } from './shared/operation-schemas.ts'
import type { pluginDetail, pluginList, pluginRow, usedService } from './shared/plugin-schemas.ts'
import type { tenantPluginDetail, tenantPluginRow } from './shared/tenant-schemas.ts'
import type { hostPage } from './hosts/schemas.ts'
import type { removalPlan, strayPlan } from './removal/schemas.ts'
import type { orphan, repairedBody } from './repairs/schemas.ts'

/** A row of the administrators' list of plugins. */
export type PluginRowBody = BodyOf<typeof pluginRow>
/** A page of them, with how many there are in each status. */
export type PluginListBody = BodyOf<typeof pluginList>
/** A plugin with everything known of it. */
export type PluginDetailBody = BodyOf<typeof pluginDetail>
/** A row of a tenant's list of plugins. */
export type TenantPluginRowBody = BodyOf<typeof tenantPluginRow>
/** A plugin as its tenant reads it. */
export type TenantPluginBody = BodyOf<typeof tenantPluginDetail>
/** A long piece of work on a plugin. */
export type OperationBody = BodyOf<typeof operationBody>
/** What is to be allowed, of which package. */
export type ConsentBody = BodyOf<typeof consent>
/** What an upgrade would do. */
export type UpgradePlanBody = BodyOf<typeof upgradePlan>
/** What an uninstall would do. */
export type RemovalPlanBody = BodyOf<typeof removalPlan>
/** What lies about of a plugin without a row, and would be removed. */
export type StrayPlanBody = BodyOf<typeof strayPlan>
/** What lies about of a plugin that is not installed. */
export type OrphanBody = BodyOf<typeof orphan>
/** A plugin that was looked over. */
export type RepairedPluginBody = BodyOf<typeof repairedBody>
/** What a plugin asks for, what it was granted and what is left of that. */
export type CapabilitiesBody = BodyOf<typeof capabilities>
/** A service of another plugin that a plugin uses. */
export type UsedServiceBody = BodyOf<typeof usedService>
/** The slots that plugins fill, by kind. */
export type SlotsBody = BodyOf<typeof slotsBody>
/** A backup of a plugin. */
export type BackupBody = BodyOf<typeof backupBody>
/** A page of hosts, with what waits for any of them by kind. */
export type HostPageBody = BodyOf<typeof hostPage>
