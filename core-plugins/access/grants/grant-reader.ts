import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Cache, PermissionRegistry, Scope } from '#kernel'
import { grantsChanged, type DataScope, type Grants, type RoleName } from '../contract.ts'
import { Role, UserRole } from '../records/role-models.ts'
import { systemPermissions } from '../records/system-roles.ts'
import { heldRoles } from './held-roles.ts'
import type { PermissionSources } from './permission-sources.ts'

const widest: readonly DataScope[] = ['ALL', 'ORG_AND_CHILDREN', 'CUSTOM', 'ORG_ONLY', 'SELF']
const keptSeconds = 60
const epochSeconds = 7 * 24 * 3600

/** A role with every permission it gives. */
export interface HeldRole {
  readonly role: Role
  readonly permissions: readonly string[]
}

/** Works out what users hold, and keeps it until the epoch of their tenant ends. */
export class GrantReader {
  readonly #db: Knex
  readonly #cache: Cache
  readonly #changes: Scope['changes']
  readonly #registry: PermissionRegistry
  readonly #sources: PermissionSources

  constructor(
    { db, cache, changes }: Pick<Scope, 'db' | 'cache' | 'changes'>,
    registry: PermissionRegistry,
    sources: PermissionSources,
  ) {
    this.#db = db
    this.#cache = cache
    this.#changes = changes
    this.#registry = registry
    this.#sources = sources
  }

  /** What a user holds. */
  async grantsOf(tenantId: number, userId: number): Promise<Grants> {
    return this.keep(tenantId, `grants:${userId}`, () => this.#load(tenantId, userId))
  }

  /**
   * Keeps what `load` gives for a minute. The epoch is part of the key, so that what was loaded before a change is never found after
   * it; so is the version, in case the word of the new epoch could not reach Redis.
   */
  async keep<T>(tenantId: number, key: string, load: () => Promise<T>): Promise<T> {
    const [own, common] = await Promise.all([this.#epoch(tenantId), this.#epoch('all')])
    const versions = [String(tenantId), 'all'].map((subject) => this.#changes.version(grantsChanged, subject))
    return this.#cache.wrap(`${key}:${tenantId}:${own}:${common}:${versions.join(':')}`, keptSeconds, load)
  }

  /** Begins a new epoch. */
  async endEpoch(tenantId: number | 'all'): Promise<void> {
    await this.#cache.set(`epoch:${tenantId}`, randomUUID(), epochSeconds)
  }

  /** Reads the epoch where every host reads it, also while somebody else here is reading it already. */
  async readEpoch(tenantId: number | 'all'): Promise<string | undefined> {
    return this.#cache.get(`epoch:${tenantId}`)
  }

  /** Names of the roles given to many users themselves. */
  async rolesOf(
    tenantId: number,
    userIds: readonly number[],
    db: Knex = this.#db,
  ): Promise<ReadonlyMap<number, readonly RoleName[]>> {
    const roles = new Map<number, RoleName[]>()
    if (userIds.length === 0) return roles
    const held = await UserRole.of(tenantId, db).whereIn('user_id', userIds)
    const rows = await Role.of(tenantId, db)
      .whereIn(
        'id',
        held.map(({ roleId }) => roleId),
      )
      .orderBy('id')
    for (const { id, code, name } of rows) {
      for (const { userId, roleId } of held) {
        if (roleId === id) roles.set(userId, [...(roles.get(userId) ?? []), { code, name }])
      }
    }
    return roles
  }

  /** Every role that some users hold, by gift or through the organisation, disabled ones included. */
  async heldBy(tenantId: number, userIds: readonly number[], db: Knex = this.#db): Promise<readonly Role[]> {
    const { sql, bindings } = heldRoles(tenantId, userIds)
    return Role.of(tenantId, db).whereRaw(`id in (select role_id from (${sql}) as held)`, bindings).orderBy('id')
  }

  /** The user's active roles, each with the permissions it gives. */
  async activeRoles(tenantId: number, userId: number, db: Knex = this.#db): Promise<readonly HeldRole[]> {
    const roles = (await this.heldBy(tenantId, [userId], db)).filter(({ status }) => status === 'active')
    const given = roles.map(async (role) => {
      return { role, permissions: await this.permissionsOf(tenantId, [role], db) }
    })
    return Promise.all(given)
  }

  /** Every permission that some roles of one tenant give together. */
  async permissionsOf(tenantId: number, roles: readonly Role[], db: Knex = this.#db): Promise<readonly string[]> {
    const registered = this.#registry.list()
    const stored = roles.flatMap(({ code, system, permissions }) => [
      ...permissions,
      ...(system ? systemPermissions(code, registered) : []),
    ])
    const given = await this.givenTo(
      tenantId,
      roles.map(({ code }) => code),
      db,
    )
    return [...new Set([...stored, ...given])].sort()
  }

  /** What roles are given beside what they store. */
  givenTo(tenantId: number, roleCodes: readonly string[], db: Knex = this.#db): Promise<readonly string[]> {
    return this.#sources.permissions(tenantId, roleCodes, db)
  }

  async #load(tenantId: number, userId: number): Promise<Grants> {
    const roles = (await this.heldBy(tenantId, [userId])).filter(({ status }) => status === 'active')
    return {
      roles: roles.map(({ code, name }) => ({ code, name })),
      permissions: await this.permissionsOf(tenantId, roles),
      dataScope: widest.find((dataScope) => roles.some((role) => role.dataScope === dataScope)) ?? 'SELF',
    }
  }

  async #epoch(tenantId: number | 'all'): Promise<string> {
    return this.#cache.wrap(`epoch:${tenantId}`, epochSeconds, () => Promise.resolve(randomUUID()))
  }
}
