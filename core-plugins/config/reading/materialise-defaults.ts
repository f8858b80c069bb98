import type { Knex } from 'knex'
import { nameOf, type CatalogueItem } from '../catalogue/catalogue.ts'
import { SystemConfigValue } from '../models.ts'
import type { ConfigParts } from './reader.ts'

/** Stores what holds for a tenant by default as its own values, so that later defaults leave it alone; what is decided elsewhere stays out. */
export async function materialiseDefaults(
  db: Knex,
  tenantId: number,
  { catalogue, records, stored, codec }: ConfigParts,
): Promise<void> {
  const [ids, platform] = await Promise.all([records.ids(), stored.of(0)])
  const textOf = (item: CatalogueItem, id: number): string | undefined =>
    platform.get(id)?.value ?? (item.default === undefined ? undefined : codec.encode(item, item.default))
  const items = catalogue.list().flatMap((group) => [...group.items.values()])
  const rows = items.flatMap((item) => {
    const configId = ids.get(nameOf(item.scope, item.key))
    const isOwn = item.scope === 'ALL_TENANTS' && !item.declaration.readonly
    const value = isOwn && configId !== undefined ? textOf(item, configId) : undefined
    return configId === undefined || value === undefined ? [] : [{ configId, value, updatedBy: null }]
  })
  // Two hosts may meet the tenant at once, and a value that somebody set meanwhile stands.
  await SystemConfigValue.of(tenantId, db).insert(rows).onConflict(['config_id', 'tenant_id']).ignore()
}
