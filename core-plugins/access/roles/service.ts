import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import {
  coversPermission,
  NotFoundError,
  presentPage,
  type Page,
  type PermissionRegistry,
  type Principal,
  whatIsGiven,
} from '#kernel'
import type { Access, Audit, Writer } from '../contract.ts'
import { RoleCodeTakenError, RoleInUseError, SystemRoleFixedError } from '../errors.ts'
import type { Authority } from '../authority/authority.ts'
import type { GrantReader } from '../grants/grant-reader.ts'
import type { KnownPermissions } from '../grants/known-permissions.ts'
import { lockTree } from '../records/lock-tree.ts'
import { OrgRole } from '../records/org-models.ts'
import { rethrowTaken } from '../rethrow-taken.ts'
import { scopeFor } from '../scope/scope-reader.ts'
import { auditEntry } from '../audit-entry.ts'
import { checkPermissions } from './check-permissions.ts'
import { Role, UserRole } from '../records/role-models.ts'
import { presentRole, type PresentedRole } from './present.ts'
import type { RoleArea } from './role-area.ts'
import { changeScopes, checkScopes, hasScopes, type RoleScopes, type ScopeChange } from './role-scopes.ts'
import { systemPermissions } from '../records/system-roles.ts'

/** What roles need of the rest. */
interface RoleParts {
  readonly db: Knex
  readonly registry: PermissionRegistry
  readonly known: KnownPermissions
  readonly grants: GrantReader
  readonly authority: Authority
  readonly access: Pick<Access, 'invalidate'>
  readonly audit: Audit
}

/** What may be said of a role. */
interface RoleChange extends ScopeChange {
  readonly name?: string
  readonly permissions?: readonly string[]
  readonly status?: 'active' | 'disabled'
}

/** Which roles a list shows; what is left out does not matter. */
interface RoleFilter {
  readonly code?: string
  readonly status?: 'active' | 'disabled'
  readonly system?: boolean
  readonly data_scope?: string
}

const takenCode = rethrowTaken('access_roles_tenant_id_code_unique', 'code', RoleCodeTakenError)

/** The roles of one area. */
export class RoleService {
  readonly #parts: RoleParts
  readonly #area: RoleArea

  constructor(parts: RoleParts, area: RoleArea) {
    this.#parts = parts
    this.#area = area
  }

  async list(tenantId: number, page: Page, { code, status, system, data_scope }: RoleFilter) {
    const query = Role.of(tenantId, this.#parts.db).where(
      whatIsGiven<string | boolean>({ code, status, system, data_scope }),
    )
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((group) => void group.whereILike('code', pattern).orWhereILike('name', pattern))
    }
    const found = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, found.total, await Promise.all(found.results.map((role) => this.#present(role))))
  }

  async get(tenantId: number, id: number): Promise<PresentedRole> {
    return this.#present(await this.#find(tenantId, id, this.#parts.db))
  }

  async create(
    tenantId: number,
    { code, name, status = 'active', ...change }: RoleChange & { code: string; name: string },
    writer: Writer,
  ): Promise<PresentedRole> {
    const { db, authority, known } = this.#parts
    const permissions = [...new Set(change.permissions ?? [])].sort()
    return db.transaction(async (trx) => {
      checkPermissions(permissions, await known.list(tenantId, trx))
      await authority.requireHeld(writer.principal, tenantId, permissions, trx)
      const scopes = changeScopes({ dataScope: 'SELF', dataScopeOrgs: null, dataScopes: {} }, change)
      await this.#checkScopes(tenantId, scopes, permissions, writer.principal, trx)
      const created = await Role.of(tenantId, trx)
        .insert({ code, name, status, permissions, ...scopes })
        .returning('*')
        .catch(takenCode)
      const after = await this.#present(created, trx)
      await this.#record('created', created, writer, trx, { after })
      return after
    })
  }

  async update(tenantId: number, id: number, change: RoleChange, writer: Writer): Promise<PresentedRole> {
    const after = await this.#parts.db.transaction(async (trx) => {
      if (hasScopes(change)) await lockTree(tenantId, trx, 'shared')
      const role = await this.#find(tenantId, id, trx, true)
      const before = await this.#present(role, trx)
      const columns = await this.#change(role, change, writer.principal, trx)
      const updated = await Role.of(tenantId, trx).patchAndFetchById(id, { ...columns, updatedAt: new Date() })
      const presented = await this.#present(updated, trx)
      await this.#record('updated', role, writer, trx, { before, after: presented })
      return presented
    })
    await this.#parts.access.invalidate(tenantId)
    return after
  }

  async delete(tenantId: number, id: number, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const role = await this.#find(tenantId, id, trx, true)
      if (role.system) throw new SystemRoleFixedError()
      const users = await UserRole.of(tenantId, trx).where('role_id', id).resultSize()
      const orgs = await OrgRole.of(tenantId, trx).where('role_id', id).resultSize()
      if (users + orgs > 0) throw new RoleInUseError({ details: { by: { users, orgs } } })
      await Role.of(tenantId, trx).deleteById(id)
      await this.#record('deleted', role, writer, trx, { before: await this.#present(role, trx) })
    })
    await this.#parts.access.invalidate(tenantId)
  }

  async #find(tenantId: number, id: number, db: Knex, toChange = false): Promise<Role> {
    const query = Role.of(tenantId, db).findById(id)
    const role = await (toChange ? query.forUpdate() : query)
    if (!role) throw new NotFoundError()
    return role
  }

  /** The columns that a change writes; throws where it is not for this role or not for this actor. */
  async #change(
    role: Role,
    { name = role.name, status = role.status, ...change }: RoleChange,
    actor: Principal,
    trx: Knex.Transaction,
  ): Promise<Partial<Role>> {
    const scopes = hasScopes(change) ? changeScopes(role, change) : role
    const { dataScope, dataScopeOrgs, dataScopes } = scopes
    const isSeenOtherwise = !isDeepStrictEqual({ ...role, ...scopes }, { ...role })
    if (role.system && (name !== role.name || status !== role.status || isSeenOtherwise))
      throw new SystemRoleFixedError()
    if (status !== role.status) await this.#parts.authority.requireMayGive(actor, role.tenantId, [role], trx)
    const permissions = change.permissions
      ? await this.#newPermissions(role, change.permissions, actor, trx)
      : role.permissions
    const added = permissions.filter((permission) => !role.permissions.includes(permission))
    if (!role.system) {
      await this.#checkScopes(role.tenantId, scopes, isSeenOtherwise ? permissions : added, actor, trx, role.id)
    }
    return { name, status, permissions, dataScope, dataScopeOrgs, dataScopes }
  }

  /** What the role shows with these permissions must be there, and be seen by whoever says so. */
  async #checkScopes(
    tenantId: number,
    scopes: RoleScopes,
    permissions: readonly string[],
    actor: Principal,
    trx: Knex.Transaction,
    roleId = 0,
  ): Promise<void> {
    await checkScopes(tenantId, scopes, { area: this.#area, registry: this.#parts.registry }, trx)
    const { authority } = this.#parts
    const ownNodes = authority.nodesOfHolders(actor, roleId, trx)
    await authority.requireSeen(actor, permissions, (permission) => scopeFor(scopes, permission), trx, ownNodes)
  }

  /** What a role stores afterwards: a system role only what was added to what it holds anyway. */
  async #newPermissions(
    role: Role,
    wanted: readonly string[],
    actor: Principal,
    trx: Knex.Transaction,
  ): Promise<string[]> {
    const fixed = new Set(role.system ? systemPermissions(role.code, this.#parts.registry.list()) : [])
    const stored = [...new Set(wanted)].filter((permission) => !fixed.has(permission)).sort()
    const added = stored.filter((permission) => !role.permissions.includes(permission))
    if (role.system && stored.some((permission) => !permission.startsWith('plugin.'))) throw new SystemRoleFixedError()
    const known = await this.#parts.known.list(role.tenantId, trx)
    checkPermissions(added, known)
    const removed = role.permissions.filter((permission) => !stored.includes(permission))
    // A permission of a plugin that is gone is anybody's to clear away.
    const taken = removed.filter((permission) => known.some(({ name }) => coversPermission(permission, name)))
    await this.#parts.authority.requireHeld(actor, role.tenantId, [...added, ...taken], trx)
    return stored
  }

  async #present(role: Role, db: Knex = this.#parts.db): Promise<PresentedRole> {
    return presentRole(role, await this.#parts.grants.permissionsOf(role.tenantId, [role], db))
  }

  async #record(
    what: string,
    role: Role,
    writer: Writer,
    trx: Knex.Transaction,
    change: { before?: PresentedRole; after?: PresentedRole },
  ): Promise<void> {
    const entry = auditEntry(writer, `${this.#area.resource}.${what}`, `role:${role.id}`, change)
    await this.#parts.audit.record(entry, trx)
  }
}
