import { tenantsDeleted, type Scope } from '#kernel'
import type { Access } from './contract.ts'
import { OrgNode, OrgRole, UserOrg } from './records/org-models.ts'
import { Role, UserRole } from './records/role-models.ts'

/** Deletes the roles and the organisation of tenants who are gone; their audit log stays for as long as every other. */
export function followDeletions(scope: Pick<Scope, 'on' | 'db'>, access: Pick<Access, 'invalidate'>): void {
  scope.on(tenantsDeleted, async ({ tenantId }) => {
    await scope.db.transaction(async (trx) => {
      await OrgRole.of(tenantId, trx).delete()
      await UserOrg.of(tenantId, trx).delete()
      await UserRole.of(tenantId, trx).delete()
      await OrgNode.of(tenantId, trx).delete()
      await Role.of(tenantId, trx).delete()
    })
    await access.invalidate(tenantId)
  })
}
