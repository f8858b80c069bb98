import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Cache, PermissionRegistry } from '#kernel'
import type { DataScope, Grants, RoleName } from '../contract.ts'
import { Role, UserRole } from '../roles/models.ts'
import { systemPermissions } from '../roles/system-roles.ts'
import type { PermissionSources } from './permission-sources.ts'

const widest: readonly DataScope[] = ['ALL', 'ORG_AND_CHILDREN', 'ORG_ONLY', 'SELF']
const grantSeconds = 60
const epochSeconds = 7 * 24 * 3600

/** Works out what users hold, and keeps it until the epoch of their tenant ends. */
export class GrantReader {
  readonly #db: Knex
  readonly #cache: Cache
  readonly #registry: PermissionRegistry
  readonly #sources: PermissionSources

  constructor(db: Knex, cache: Cache, registry: PermissionRegistry, sources: PermissionSources) {
    this.#db = db
    this.#cache = cache
    this.#registry = registry
    this.#sources = sources
  }

  /** What a user holds. The epoch is part of the key, so that what was loaded before a change is never found after it. */
  async grantsOf(tenantId: number, userId: number): Promise<Grants> {
    const [own, common] = await Promise.all([this.#epoch(tenantId), this.#epoch('all')])
    return this.#cache.wrap(`grants:${tenantId}:${own}:${common}:${userId}`, grantSeconds, () =>
      this.#load(tenantId, userId),
    )
  }

  /** Begins a new epoch. */
  async endEpoch(tenantId: number | 'all'): Promise<void> {
    await this.#cache.set(`epoch:${tenantId}`, randomUUID(), epochSeconds)
  }

  /** Role names of many users. */
  async rolesOf(tenantId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, readonly RoleName[]>> {
    const roles = new Map<number, RoleName[]>()
    if (userIds.length === 0) return roles
    const held = await UserRole.of(tenantId, this.#db).whereIn('user_id', userIds)
    const rows = await Role.of(tenantId, this.#db)
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

  /** Every permission that some roles of one tenant give together. */
  async permissionsOf(tenantId: number, roles: readonly Role[], db: Knex = this.#db): Promise<readonly string[]> {
    const registered = this.#registry.list()
    const stored = roles.flatMap(({ code, system, permissions }) => [
      ...permissions,
      ...(system ? systemPermissions(code, registered) : []),
    ])
    const given = await this.#sources.permissions(
      tenantId,
      roles.map(({ code }) => code),
      db,
    )
    return [...new Set([...stored, ...given])].sort()
  }

  async #load(tenantId: number, userId: number): Promise<Grants> {
    const roles = await Role.of(tenantId, this.#db)
      .where('status', 'active')
      .whereIn('id', UserRole.of(tenantId, this.#db).select('role_id').where('user_id', userId))
      .orderBy('id')
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
