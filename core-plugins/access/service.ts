import type { Knex } from 'knex'
import { pluginEnabled, type PermissionRegistry, type PluginHost, type Scope } from '#kernel'
import { accessChanged, type Access } from './contract.ts'
import { Assignments } from './grants/assignments.ts'
import { GrantReader } from './grants/grant-reader.ts'
import { PermissionSources } from './grants/permission-sources.ts'
import { removePermissions } from './roles/remove-permissions.ts'

/** Puts together what answers "who may do what". */
export function createAccess(scope: Scope, registry: PermissionRegistry): { access: Access; reader: GrantReader } {
  const sources = new PermissionSources()
  const reader = new GrantReader(scope.db, scope.cache, registry, sources)
  const assignments = new Assignments(reader, registry)
  const access: Access = {
    grantsOf: (tenantId, userId) => reader.grantsOf(tenantId, userId),
    rolesOf: (tenantId, userIds) => reader.rolesOf(tenantId, userIds),
    seedTenantRoles: (tenantId, trx) => assignments.seedTenantRoles(tenantId, trx),
    assignRoles: (tenantId, userId, codes, trx, actor) => assignments.assign(tenantId, userId, codes, trx, actor),
    forgetUser: (tenantId, userId, trx) => assignments.forget(tenantId, userId, trx),
    requireAuthorityOver: (actor, tenantId, userId, trx) =>
      assignments.requireAuthorityOver(actor, tenantId, userId, trx),
    lockHolders: (tenantId, roleCode, trx) => assignments.lockHolders(tenantId, roleCode, trx),
    addPermissionSource: (source) => sources.add(source),
    removePermissions: (prefix: string, trx: Knex.Transaction) => removePermissions(prefix, trx),
    async invalidate(tenantId) {
      await reader.endEpoch(tenantId)
      await scope.emit(accessChanged, { tenantId })
    },
  }
  return { access, reader }
}

/** Notices new core plugins: what system roles hold follows from what those declare. */
export function followPlugins(scope: Scope, host: PluginHost, access: Access): void {
  scope.on(pluginEnabled, async ({ name }) => {
    const declared = host.manifests.find((manifest) => manifest.name === name)?.permissions ?? []
    if (declared.some(({ resource }) => !resource.startsWith('plugin.'))) await access.invalidate('all')
  })
}
