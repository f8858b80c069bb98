import { pluginEnabled, type PermissionRegistry, type PluginHost, type Scope } from '#kernel'
import { accessChanged, type Access } from './contract.ts'
import { Assignments } from './authority/assignments.ts'
import { Authority } from './authority/authority.ts'
import { findHolders, firstHolders, lockHolders } from './grants/find-holders.ts'
import { GrantReader } from './grants/grant-reader.ts'
import { usersWith } from './grants/users-with.ts'
import { KnownPermissions } from './grants/known-permissions.ts'
import { PermissionSources } from './grants/permission-sources.ts'
import { rehearseGrants } from './orgs/rehearse-grants.ts'
import { Memberships } from './orgs/memberships.ts'
import { OrgNode } from './records/org-models.ts'
import { Role } from './records/role-models.ts'
import { countMenus, removeMenus } from './menus/remove-menus.ts'
import { countPermissions, removePermissions } from './roles/remove-permissions.ts'
import { restrictToMembers } from './scope/restrict-to-members.ts'
import { ScopeReader } from './scope/scope-reader.ts'
import { UserNames } from './user-names.ts'

/** What answers "who may do what", for the rest of this plugin. */
export interface AccessParts {
  readonly access: Access
  readonly grants: GrantReader
  readonly known: KnownPermissions
  readonly scopes: ScopeReader
  readonly authority: Authority
  readonly memberships: Memberships
  readonly names: UserNames
}

/** Puts together what answers "who may do what". */
export function createAccess(scope: Scope, registry: PermissionRegistry): AccessParts {
  const sources = new PermissionSources()
  const names = new UserNames()
  const grants = new GrantReader(scope, registry, sources)
  const scopes = new ScopeReader(scope.db, grants)
  const known = new KnownPermissions(registry, sources)
  const authority = new Authority({ registry, known, grants, scopes })
  const assignments = new Assignments(authority)
  const memberships = new Memberships(scope.db, authority, scopes)
  const access: Access = {
    grantsOf: (tenantId, userId) => grants.grantsOf(tenantId, userId),
    rolesOf: (tenantId, userIds, db) => grants.rolesOf(tenantId, userIds, db),
    async listRoles(tenantId) {
      const roles = await Role.of(tenantId, scope.db).where('status', 'active').orderBy('code')
      const listed = roles.map(async (role) => {
        return { code: role.code, name: role.name, permissions: await grants.permissionsOf(tenantId, [role]) }
      })
      return Promise.all(listed)
    },
    seedTenantRoles: (tenantId, trx) => assignments.seedTenantRoles(tenantId, trx),
    assignRoles: (tenantId, userId, codes, trx, actor) => assignments.assign(tenantId, userId, codes, trx, actor),
    async forgetUser(tenantId, userId, trx) {
      await assignments.forget(tenantId, userId, trx)
      await memberships.forget(tenantId, userId, trx)
      await OrgNode.of(tenantId, trx).patch({ leaderId: null }).where('leader_id', userId)
    },
    requireAuthorityOver: (actor, tenantId, userId, trx) => authority.requireOver(actor, tenantId, userId, trx),
    requireAuthorityOverAll: (actor, tenantId, trx) => authority.requireOverAll(actor, tenantId, trx),
    isAbove: (account, other) => authority.isAbove(account, other, scope.db),
    requireMayGive: (actor, given, trx) => rehearseGrants({ assignments, memberships }, actor, given, trx),
    holdersOf: (tenantId, roleCode) => findHolders(tenantId, roleCode, scope.db),
    firstHolders: (tenantIds, roleCode) => firstHolders(tenantIds, roleCode, scope.db),
    usersWith: (tenantId, permission) => usersWith(access, tenantId, permission),
    lockHolders,
    namesOf: (userIds) => names.anywhere(userIds),
    dataScope: ({ tenantId, userId }, permission, trx) =>
      trx ? scopes.planIn(trx, tenantId, userId, permission) : scopes.planOf(tenantId, userId, permission),
    orgsOf: (tenantId, userIds, db) => memberships.orgsOf(tenantId, userIds, db),
    orgLineOf: (tenantId, userId) => memberships.lineOf(tenantId, userId),
    async knownOrgs(tenantId, orgIds, db = scope.db) {
      const nodes = await OrgNode.of(tenantId, db).whereIn('id', orgIds)
      return nodes.map(({ id }) => id)
    },
    primaryOrgOf: (tenantId, userId) => memberships.primaryOrgOf(tenantId, userId),
    assignOrgs: (tenantId, userId, orgIds, trx, actor) => memberships.assign(tenantId, userId, orgIds, trx, actor),
    restrictToMembers,
    addPermissionSource: (source) => sources.add(source),
    describeUsers: (source) => names.use(source),
    removePermissions: (prefix, trx) => removePermissions(prefix, trx),
    countPermissions: (prefix, db) => countPermissions(prefix, db),
    removeMenus: (prefix, trx) => removeMenus(prefix, trx),
    countMenus: (prefix, db) => countMenus(prefix, db),
    async invalidate(tenantId) {
      await grants.endEpoch(tenantId)
      await scope.emit(accessChanged, { tenantId })
      // Redis may answer who speaks before it tells those who listen: once it answers again, the other hosts were told.
      await grants.readEpoch(tenantId)
    },
  }
  return { access, grants, known, scopes, authority, memberships, names }
}

/** Notices new core plugins: what system roles hold follows from what those declare. */
export function followPlugins(scope: Scope, host: PluginHost, access: Access): void {
  scope.on(pluginEnabled, async ({ name }) => {
    const declared = host.manifests.find((manifest) => manifest.name === name)?.permissions ?? []
    if (declared.some(({ resource }) => !resource.startsWith('plugin.'))) await access.invalidate('all')
  })
}
