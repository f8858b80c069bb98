import {
  compilePermissionCheck,
  NotFoundError,
  type DataScopePlan,
  type PermissionRegistry,
  type Principal,
} from '#kernel'
import type { Knex } from 'knex'
import type { KnownPermissions } from '../grants/known-permissions.ts'
import { findHolders } from '../grants/find-holders.ts'
import type { MenuService } from '../menus/menu-service.ts'
import { UserOrg } from '../records/org-models.ts'
import { Role } from '../records/role-models.ts'
import { scopeFor, type ScopeReader } from '../scope/scope-reader.ts'
import type { UserNames } from '../user-names.ts'
import { checkPermissions } from './check-permissions.ts'
import type { RoleArea } from './role-area.ts'
import { changeScopes, checkScopes, type RoleScopes, type ScopeChange } from './role-scopes.ts'

/** What previews stand on. */
export interface PreviewParts {
  readonly db: Knex
  readonly registry: PermissionRegistry
  readonly known: KnownPermissions
  readonly scopes: ScopeReader
  readonly names: UserNames
}

/** A role as it would be. */
interface RoleDraft extends ScopeChange {
  /** Whose holders are counted; nobody holds a role that is new. */
  readonly role_id?: number
  readonly permissions: readonly string[]
}

const nobody: RoleScopes = { dataScope: 'SELF', dataScopeOrgs: null, dataScopes: {} }

/** What a role would do as it is drafted: how many hold it, what one of them would see, and the navigation it opens. Nothing is written. */
export class RolePreviews {
  readonly #parts: PreviewParts
  readonly #menus: MenuService
  readonly #area: RoleArea

  constructor(parts: PreviewParts, menus: MenuService, area: RoleArea) {
    this.#parts = parts
    this.#menus = menus
    this.#area = area
  }

  /** Counts people as far as the caller may list them: null where that is not at all. Throws 404 for a role that is not there, 422 as a save would. */
  async preview(principal: Principal, { role_id: id, permissions, ...change }: RoleDraft, locale: string) {
    const { db, known } = this.#parts
    const { tenantId } = principal
    const role = id === undefined ? undefined : await Role.of(tenantId, db).findById(id)
    if (id !== undefined && !role) throw new NotFoundError()
    // What a role holds of a plugin that is gone stays until somebody takes it away.
    const added = permissions.filter((permission) => !role?.permissions.includes(permission) && permission !== '*:*')
    checkPermissions(added, await known.list(tenantId, db))
    const scopes = changeScopes(role ?? nobody, change)
    if (!role?.system) await checkScopes(tenantId, scopes, { area: this.#area, registry: this.#parts.registry }, db)
    const can = compilePermissionCheck(permissions)
    return {
      ...(await this.#people(principal, role, scopes)),
      menus: await this.#menus.treeFor({ scope: principal.scope, tenantId, can }, locale),
    }
  }

  async #people(principal: Principal, role: Role | undefined, scopes: RoleScopes) {
    const { db, names, scopes: reader } = this.#parts
    const { tenantId, userId } = principal
    const permission = tenantId === 0 ? 'platform_user:list' : 'tenant_user:list'
    if (!principal.can(permission)) return { people: null, example: null }
    const seen = await reader.planOf(tenantId, userId, permission)
    const holders = role ? await findHolders(tenantId, role.code, db) : []
    const people = await names.count(tenantId, { ids: holders, plans: [seen] })
    // Every role of the platform sees everybody.
    if (tenantId === 0) return { people, example: null }
    // Whose own nodes are meant: of a holder whom the caller sees, or else of whoever asks.
    const somebody = (await this.#firstSeen(tenantId, holders, seen)) ?? userId
    const plan = await this.#planOf(tenantId, scopes, somebody)
    const [visible, total] = await Promise.all([
      names.count(tenantId, { plans: [seen, plan] }),
      names.count(tenantId, { plans: [seen] }),
    ])
    return { people, example: { visible, total } }
  }

  /** Nothing is told of where somebody belongs whom the caller does not see. */
  async #firstSeen(tenantId: number, ids: readonly number[], plan: DataScopePlan): Promise<number | undefined> {
    if (plan.kind === 'all') return ids[0]
    if (plan.kind === 'none' || ids.length === 0) return undefined
    const members = UserOrg.of(tenantId, this.#parts.db).whereRaw('user_id = any(?::int[])', [[...ids]])
    const seen = await members
      .whereRaw('org_id = any(?::int[])', [[...plan.orgIds]])
      .orderBy('user_id')
      .first()
    return seen?.userId ?? (ids.includes(plan.userId) ? plan.userId : undefined)
  }

  async #planOf(tenantId: number, scopes: RoleScopes, userId: number): Promise<DataScopePlan> {
    const { db, scopes: reader } = this.#parts
    const wanted = [scopeFor(scopes, 'tenant_user:list')]
    const orgIds = await reader.nodesIn(tenantId, wanted, () => reader.nodesOf(tenantId, [userId], db), db)
    return orgIds === 'all' ? { kind: 'all' } : { kind: 'filter', orgIds, userId }
  }
}
