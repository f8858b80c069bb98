import path from 'node:path'
import { definePlugin, permissionRegistry, pluginHost } from '#kernel'
import { AuditLog } from './audit/service.ts'
import { access as accessRef, audit as auditRef } from './contract.ts'
import { followDeletions } from './erasure.ts'
import { menus } from './menus/declared.ts'
import { permissions } from './permissions.ts'
import { accessRoutes } from './routes.ts'
import { createAccess, followPlugins } from './service.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'access',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { registry: permissionRegistry, host: pluginHost },
  provides: [accessRef, auditRef],
  setup(scope, { registry, host }) {
    const parts = createAccess(scope, registry)
    const audit = new AuditLog(scope.db)
    scope.provide(accessRef, parts.access)
    scope.provide(auditRef, audit)
    scope.route(...accessRoutes({ ...parts, db: scope.db, registry, host, audit }))
    followPlugins(scope, host, parts.access)
    followDeletions(scope, parts.access)
  },
})
