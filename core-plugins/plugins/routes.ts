import { type Route, type TextTeller, withAlias } from '#kernel'
import { iconRoutes } from './choices/icon-routes.ts'
import { appearanceRoutes } from './choices/appearance-routes.ts'
import { Backups } from './backups/backups.ts'
import { backupRoutes } from './backups/routes.ts'
import { capabilityRoutes } from './choices/capability-routes.ts'
import { hostModuleRoutes } from './host-modules/routes.ts'
import { licenceRoutes } from './licences/routes.ts'
import { repairRoutes } from './repairs/routes.ts'
import { operationRoutes } from './changes/routes.ts'
import type { Operations } from './operations/operations.ts'
import { configRoutes } from './routes/config.ts'
import { lifecycleRoutes } from './routes/lifecycle.ts'
import { detailRoutes, listRoutes, tenantDetailRoutes, type Readers } from './routes/reading.ts'
import { assignmentRoutes, tenantSwitchRoutes } from './routes/tenants.ts'
import { rollbackRoutes } from './rollbacks/routes.ts'
import { upgradeRoutes } from './upgrades/routes.ts'
import type { PluginChanges } from './changes/plugin-changes.ts'
import type { LicenceSlot } from './running/licence-slot.ts'
import type { PluginService } from './service.ts'
import type { Assignments } from './tenants/assignments.ts'
import type { VerbNeeds } from './needs.ts'

/** Every endpoint about plugins; those of plugins are theirs. */
export function pluginRoutes(
  parts: Readers & {
    readonly parts: VerbNeeds
    readonly operations: Pick<Operations, 'cancel'>
    readonly service: PluginService
    readonly changes: PluginChanges<VerbNeeds>
    readonly assignments: Assignments
    readonly licences: LicenceSlot
    readonly teller: TextTeller
  },
): readonly Route[] {
  return [
    ...listRoutes(parts),
    ...tenantDetailRoutes(parts),
    ...withAlias('/admin/plugins', '/plugins', (prefix) => [
      ...operationRoutes({ ...parts.parts, operations: parts.operations }, parts.operationLog, prefix),
      ...lifecycleRoutes(parts.service, prefix),
      ...upgradeRoutes(parts.changes, parts.parts, prefix),
      ...detailRoutes(parts, prefix),
      ...capabilityRoutes(parts, prefix),
      ...repairRoutes(parts, prefix),
      ...appearanceRoutes(parts.changes, prefix),
      ...assignmentRoutes(parts, prefix),
      ...hostModuleRoutes(prefix),
      ...licenceRoutes(parts, prefix),
      ...backupRoutes(new Backups(parts.parts), prefix),
      ...rollbackRoutes(parts.changes, parts.parts, prefix),
    ]),
    ...tenantSwitchRoutes(parts),
    ...configRoutes(parts),
    ...iconRoutes(parts),
  ]
}
