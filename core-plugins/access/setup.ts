import type { Needed, Scope } from '#kernel'
import { AuditLog } from './audit/service.ts'
import { access as accessRef, audit as auditRef } from './contract.ts'
import { followDeletions } from './erasure.ts'
import type { needs } from './needs.ts'
import { accessRoutes } from './routes.ts'
import { createAccess, followPlugins } from './service.ts'

/** Provides rights and the audit log, and follows plugins and tenants that come and go. */
export function setupAccess(scope: Scope, { registry, host, teller }: Needed<typeof needs>): void {
  const parts = createAccess(scope, registry)
  const audit = new AuditLog(scope.db, parts.names, scope.log)
  scope.provide(accessRef, parts.access)
  scope.provide(auditRef, audit)
  scope.route(...accessRoutes({ ...parts, db: scope.db, registry, host, teller, audit }))
  followPlugins(scope, host, parts.access)
  followDeletions(scope, parts.access)
}
