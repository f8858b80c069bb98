import type { Route } from '#kernel'
import { iconRoutes } from './appearance/icon-routes.ts'
import { appearanceRoutes } from './appearance/routes.ts'
import { Backups } from './backups/backups.ts'
import { backupRoutes } from './backups/routes.ts'
import { capabilityRoutes } from './capabilities/routes.ts'
import { hostModuleRoutes } from './host-modules/routes.ts'
import { repairRoutes } from './repairs/routes.ts'
import { configRoutes } from './routes/config.ts'
import { eventRoutes, type EventRouteParts } from './routes/events.ts'
import { lifecycleRoutes } from './routes/lifecycle.ts'
import { detailRoutes, listRoutes, type Readers } from './routes/reading.ts'
import { scheduleRoutes, type ScheduleRouteParts } from './routes/schedules.ts'
import { assignmentRoutes, tenantSwitchRoutes } from './routes/tenants.ts'
import { rollbackRoutes } from './rollbacks/routes.ts'
import { upgradeRoutes } from './upgrades/routes.ts'
import type { PluginService } from './service.ts'
import type { Assignments } from './tenants/assignments.ts'

/** Administrators may leave the prefix out: both spellings are the same endpoints. */
const PREFIXES = ['/plugins', '/admin/plugins']

/** Every endpoint about plugins; those of plugins are theirs. */
export function pluginRoutes(
  parts: Readers &
    ScheduleRouteParts &
    EventRouteParts & { readonly service: PluginService; readonly assignments: Assignments },
): readonly Route[] {
  return [
    ...listRoutes(parts),
    ...PREFIXES.flatMap((prefix) => [
      ...lifecycleRoutes(parts.service, prefix),
      ...upgradeRoutes(parts.service, prefix),
      ...detailRoutes(parts, prefix),
      ...capabilityRoutes(parts, prefix),
      ...repairRoutes(parts, prefix),
      ...appearanceRoutes(parts.service, prefix),
      ...assignmentRoutes(parts, prefix),
      ...scheduleRoutes(parts, prefix),
      ...eventRoutes(parts, prefix),
      ...hostModuleRoutes(prefix),
      ...backupRoutes(new Backups(parts.parts), prefix),
      ...rollbackRoutes(parts.service, parts.parts, prefix),
    ]),
    ...tenantSwitchRoutes(parts),
    ...configRoutes(parts),
    ...iconRoutes(parts),
  ]
}
