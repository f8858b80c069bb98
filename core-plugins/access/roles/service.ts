import type { Knex } from 'knex'
import {
  NotFoundError,
  presentPage,
  type Page,
  type PermissionRegistry,
  type Principal,
  type RequestState,
} from '#kernel'
import type { Access, Audit, DataScope } from '../contract.ts'
import { RoleCodeTakenError, RoleInUseError, SystemRoleFixedError } from '../errors.ts'
import type { Authority } from '../grants/authority.ts'
import type { GrantReader } from '../grants/grant-reader.ts'
import { checkPermissions } from './check-permissions.ts'
import { Role, UserRole } from './models.ts'
import { presentRole, type PresentedRole } from './present.ts'
import type { RoleArea } from './role-area.ts'
import { systemPermissions } from './system-roles.ts'

/** What roles need of the rest. */
export interface RoleParts {
  readonly db: Knex
  readonly registry: PermissionRegistry
  readonly grants: GrantReader
  readonly authority: Authority
  readonly access: Pick<Access, 'invalidate'>
  readonly audit: Audit
}

/** What may be said of a role. */
export interface RoleChange {
  readonly name?: string
  readonly permissions?: readonly string[]
  readonly data_scope?: DataScope
}

/** Who writes, for the log. */
export interface Writer {
  readonly principal: Principal
  readonly state: RequestState
}

/** The roles of one area. */
export class RoleService {
  readonly #parts: RoleParts
  readonly #area: RoleArea

  constructor(parts: RoleParts, area: RoleArea) {
    this.#parts = parts
    this.#area = area
  }

  async list(tenantId: number, page: Page) {
    const found = await Role.of(tenantId, this.#parts.db)
      .where((group) => {
        if (page.pattern) void group.whereILike('code', page.pattern).orWhereILike('name', page.pattern)
      })
      .orderBy([...page.sort, { column: 'id' }])
      .page(page.page - 1, page.size)
    return presentPage(page, found.total, await Promise.all(found.results.map((role) => this.#present(role))))
  }

  async get(tenantId: number, id: number): Promise<PresentedRole> {
    return this.#present(await this.#find(tenantId, id, this.#parts.db))
  }

  async create(tenantId: number, role: RoleChange & { code: string; name: string }, writer: Writer) {
    const permissions = [...new Set(role.permissions ?? [])].sort()
    checkPermissions(permissions, this.#area, this.#parts.registry)
    this.#parts.authority.requireHeld(writer.principal, permissions)
    return this.#parts.db.transaction(async (trx) => {
      const created = await Role.of(tenantId, trx)
        .insert({ code: role.code, name: role.name, permissions, dataScope: role.data_scope ?? 'SELF' })
        .returning('*')
        .catch(rethrowTaken)
      const after = await this.#present(created, trx)
      await this.#record('created', created, writer, trx, { after })
      return after
    })
  }

  async update(tenantId: number, id: number, change: RoleChange, writer: Writer): Promise<PresentedRole> {
    const after = await this.#parts.db.transaction(async (trx) => {
      const role = await this.#find(tenantId, id, trx, true)
      const before = await this.#present(role, trx)
      const updated = await Role.of(tenantId, trx).patchAndFetchById(id, {
        ...(change.name !== undefined && { name: this.#newName(role, change.name) }),
        ...(change.permissions && { permissions: this.#newPermissions(role, change.permissions, writer.principal) }),
        ...(change.data_scope && { dataScope: change.data_scope }),
        updatedAt: new Date(),
      })
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
      const holders = await UserRole.of(tenantId, trx).where('role_id', id).resultSize()
      if (holders > 0) throw new RoleInUseError({ details: { by: { users: holders } } })
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

  #newName(role: Role, name: string): string {
    if (role.system && name !== role.name) throw new SystemRoleFixedError()
    return name
  }

  /** What a role stores afterwards: a system role only what was added to what it holds anyway. */
  #newPermissions(role: Role, wanted: readonly string[], actor: Principal): string[] {
    const fixed = new Set(role.system ? systemPermissions(role.code, this.#parts.registry.list()) : [])
    const stored = [...new Set(wanted)].filter((permission) => !fixed.has(permission)).sort()
    const added = stored.filter((permission) => !role.permissions.includes(permission))
    if (role.system && stored.some((permission) => !permission.startsWith('plugin.'))) throw new SystemRoleFixedError()
    checkPermissions(added, this.#area, this.#parts.registry)
    this.#parts.authority.requireHeld(actor, added)
    return stored
  }

  async #present(role: Role, db: Knex = this.#parts.db): Promise<PresentedRole> {
    return presentRole(role, await this.#parts.grants.permissionsOf(role.tenantId, [role], db))
  }

  async #record(
    what: string,
    role: Role,
    { principal, state }: Writer,
    trx: Knex.Transaction,
    change: { before?: PresentedRole; after?: PresentedRole },
  ): Promise<void> {
    await this.#parts.audit.record(
      {
        tenantId: role.tenantId,
        actor: principal,
        action: `${this.#area.resource}.${what}`,
        target: `role:${role.id}`,
        traceId: state.traceId,
        ...change,
      },
      trx,
    )
  }
}

function rethrowTaken(error: unknown): never {
  // Where row-level security hides the detail, objection keeps the constraint's name on the driver's error alone.
  const { constraint } = (error as { nativeError?: { constraint?: string } }).nativeError ?? {}
  if (constraint !== 'access_roles_tenant_id_code_unique') throw error
  throw new RoleCodeTakenError({ details: { field: 'code' }, cause: error })
}
