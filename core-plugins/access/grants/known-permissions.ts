import type { Knex } from 'knex'
import type { Permission, PermissionRegistry } from '#kernel'
import type { PermissionSources } from './permission-sources.ts'

/**
 * Every permission that roles may hold: what core plugins declare, and what installed plugins do. Of these the sources are asked: what
 * this host has loaded tells of this host alone.
 */
export class KnownPermissions {
  readonly #registry: PermissionRegistry
  readonly #sources: PermissionSources

  constructor(registry: PermissionRegistry, sources: PermissionSources) {
    this.#registry = registry
    this.#sources = sources
  }

  /** Those that roles of a tenant may hold, or with tenant 0 roles of the platform, by name. */
  async list(tenantId: number, db: Knex): Promise<readonly Permission[]> {
    const own = this.#registry.list().filter(({ scope, name }) => {
      return (tenantId === 0) === (scope === 'ADMIN') && !name.startsWith('plugin.')
    })
    const others = await this.#sources.declared(tenantId, db)
    return [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
