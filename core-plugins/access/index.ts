import path from 'node:path'
import { definePlugin, permissionRegistry, pluginHost } from '#kernel'
import { auditRoutes } from './audit/routes.ts'
import { AuditLog } from './audit/service.ts'
import { access as accessRef, audit as auditRef } from './contract.ts'
import { menus } from './menus/declared.ts'
import { menuRoutes } from './menus/routes.ts'
import { messages } from './messages.ts'
import { organisation } from './orgs/organisation.ts'
import { permissions } from './permissions.ts'
import { overviewRoutes } from './roles/overview-routes.ts'
import { platformArea, tenantArea } from './roles/role-area.ts'
import { roleRoutes } from './roles/routes.ts'
import { RoleService } from './roles/service.ts'
import { createAccess, followPlugins } from './service.ts'

export default definePlugin({
  name: 'access',
  version: '1.0.0',
  title: { default: 'Access', 'zh-CN': '访问控制' },
  description: { default: 'Roles, permissions, menus and the audit log', 'zh-CN': '角色、权限、菜单与审计日志' },
  permissions,
  menus,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { registry: permissionRegistry, host: pluginHost },
  provides: [accessRef, auditRef],
  setup(scope, { registry, host }) {
    const parts = createAccess(scope, registry)
    const { access } = parts
    const audit = new AuditLog(scope.db)
    scope.provide(accessRef, access)
    scope.provide(auditRef, audit)
    for (const area of [platformArea, tenantArea]) {
      const roles = new RoleService({ ...parts, db: scope.db, registry, audit }, area)
      scope.route(...roleRoutes(roles, area), ...overviewRoutes({ ...parts, db: scope.db, registry }, area))
    }
    scope.route(...organisation(parts, { db: scope.db, audit }), ...menuRoutes(host, access), ...auditRoutes(audit))
    followPlugins(scope, host, access)
  },
})
