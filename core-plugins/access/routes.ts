import type { Knex } from 'knex'
import type { PermissionRegistry, PluginHost, Route, TextTeller } from '#kernel'
import { auditRoutes } from './audit/routes.ts'
import type { AuditLog } from './audit/service.ts'
import { MenuService } from './menus/menu-service.ts'
import { menuRoutes } from './menus/routes.ts'
import { organisation } from './organisation.ts'
import { overviewRoutes } from './roles/overview-routes.ts'
import { platformArea, tenantArea } from './roles/role-area.ts'
import { roleRoutes } from './roles/routes.ts'
import { RoleService } from './roles/service.ts'
import type { AccessParts } from './service.ts'

/** What the endpoints stand on. */
interface RouteParts extends AccessParts {
  readonly db: Knex
  readonly registry: PermissionRegistry
  readonly host: PluginHost
  readonly teller: TextTeller
  readonly audit: AuditLog
}

/** Every endpoint of the plugin. */
export function accessRoutes(parts: RouteParts): readonly Route[] {
  const menus = new MenuService(parts)
  const roles = [platformArea, tenantArea].flatMap((area) => [
    ...roleRoutes(new RoleService(parts, area), area),
    ...overviewRoutes(parts, menus, area),
  ])
  return [...roles, ...organisation(parts), ...menuRoutes(menus, parts.access), ...auditRoutes(parts.audit)]
}
