import type { Knex } from 'knex'
import type { Permission } from '#kernel'
import type { PermissionSource } from '../contract.ts'

/** Whoever else gives permissions to roles. */
export class PermissionSources {
  readonly #sources = new Set<PermissionSource>()

  /** Asks a source too, until the result is disposed. */
  add(source: PermissionSource): Disposable {
    this.#sources.add(source)
    return { [Symbol.dispose]: () => void this.#sources.delete(source) }
  }

  /** What all sources give to these roles. */
  async permissions(tenantId: number, roleCodes: readonly string[], db: Knex): Promise<readonly string[]> {
    const lists = await Promise.all([...this.#sources].map((source) => source.permissions(tenantId, roleCodes, db)))
    return lists.flat()
  }

  /** What all sources let roles of a tenant hold. */
  async declared(tenantId: number, db: Knex): Promise<readonly Permission[]> {
    const lists = await Promise.all([...this.#sources].map((source) => source.declared(tenantId, db)))
    return lists.flat()
  }
}
