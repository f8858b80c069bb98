import type { Knex } from 'knex'
import type { ConfigGroupDeclaration } from '#kernel'
import { nameOf } from './catalogue.ts'
import type { ExportedValue } from '../contract.ts'
import { SystemConfig, SystemConfigGroup, SystemConfigValue } from '../models.ts'

const lifetime = 5 * 60_000

/** The catalogue's rows, which give items the ids that values refer to. */
export class CatalogueRecords {
  readonly #db: Knex
  #ids: { readonly read: Promise<ReadonlyMap<string, number>>; readonly until: number } | undefined

  constructor(db: Knex) {
    this.#db = db
  }

  /** Scope and key → id, read once in five minutes; an item is missing until it was stored. */
  ids(): Promise<ReadonlyMap<string, number>> {
    if (this.#ids && this.#ids.until > Date.now()) return this.#ids.read
    const entry = { read: readIds(this.#db), until: Date.now() + lifetime }
    this.#ids = entry
    entry.read.catch(() => {
      if (this.#ids === entry) this.#ids = undefined
    })
    return entry.read
  }

  /** Reads the ids again at the next question. */
  forget(): void {
    this.#ids = undefined
  }

  /** Brings the rows of a plugin's groups up to what it declares; hosts that do so at once agree. */
  async store(owner: string, groups: readonly ConfigGroupDeclaration[]): Promise<void> {
    await this.#db.transaction((trx) => storeGroups(trx, owner, groups))
    this.#ids = undefined
  }

  /** What every tenant has set in a group, as it is stored. */
  async export(code: string, trx: Knex.Transaction): Promise<readonly ExportedValue[]> {
    const items = await SystemConfig.with(trx)
      .select('system_configs.id', 'key')
      .whereIn('group_id', SystemConfigGroup.with(trx).select('id').where({ code }))
    const keys = new Map(items.map(({ id, key }) => [id, key]))
    const values = await SystemConfigValue.acrossTenants(trx)
      .whereIn('config_id', [...keys.keys()])
      .orderBy('id')
    return values.map(({ tenantId, configId, value }) => ({ tenantId, key: keys.get(configId) ?? '', value }))
  }

  /** Puts values in the place of a group's; answers whose values of which keys these were and are. */
  async import(
    code: string,
    values: readonly ExportedValue[],
    trx: Knex.Transaction,
  ): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
    const before = await this.export(code, trx)
    const items = await SystemConfig.with(trx)
      .select('system_configs.id', 'key')
      .whereIn('group_id', SystemConfigGroup.with(trx).select('id').where({ code }))
    const ids = new Map(items.map(({ id, key }) => [key, id]))
    await SystemConfigValue.acrossTenants(trx)
      .delete()
      .whereIn('config_id', [...ids.values()])
    const known = values.filter(({ key }) => ids.has(key))
    const changed = new Map<number, Set<string>>()
    for (const { tenantId, key } of [...before, ...known]) {
      changed.set(tenantId, (changed.get(tenantId) ?? new Set()).add(key))
    }
    const rows = known.map(({ tenantId, key, value }) => ({ tenantId, configId: ids.get(key) ?? 0, value }))
    if (rows.length > 0) await SystemConfigValue.acrossTenants(trx).insert(rows)
    return changed
  }

  /** Deletes a group with its items and every tenant's values; answers how many values went. */
  async remove(code: string, trx: Knex.Transaction): Promise<number> {
    const items = SystemConfig.with(trx)
      .select('system_configs.id')
      .whereIn('group_id', SystemConfigGroup.with(trx).select('id').where({ code }))
    const ids = (await items).map(({ id }) => id)
    const values = await SystemConfigValue.acrossTenants(trx).delete().whereIn('config_id', ids)
    await SystemConfigGroup.with(trx).delete().where({ code })
    this.#ids = undefined
    return values
  }
}

async function readIds(db: Knex): Promise<ReadonlyMap<string, number>> {
  const rows = await SystemConfig.with(db).select('id', 'scope', 'key')
  return new Map(rows.map(({ id, scope, key }) => [nameOf(scope, key), id]))
}

async function storeGroups(
  trx: Knex.Transaction,
  owner: string,
  groups: readonly ConfigGroupDeclaration[],
): Promise<void> {
  // In one order on every host, so that none waits for a row another holds in reverse.
  const sorted = groups.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const rows = sorted.map(({ code, scope, sort, name, parent }) => {
    return { code, scope, owner, sort, name, parentCode: parent ?? null }
  })
  const stored = await SystemConfigGroup.with(trx).insert(rows).onConflict('code').merge().returning(['id', 'code'])
  const ids = new Map(stored.map(({ id, code }) => [code, id]))
  const items = sorted.flatMap(({ code, scope, items }) =>
    items.map((item) => ({ groupId: ids.get(code) ?? 0, scope, key: item.key, type: item.type, declaration: item })),
  )
  if (items.length > 0) await SystemConfig.with(trx).insert(items).onConflict(['scope', 'key']).merge()
}
