import type { Knex } from 'knex'
import type { CatalogueGroup } from '../catalogue/catalogue.ts'
import { SystemConfigValue } from '../models.ts'
import { idOf, inheritedValue, type Levels } from './effective.ts'
import type { ValueCodec } from './value-codec.ts'

/** How many tenants have an item otherwise than it holds without a value of their own. */
interface OwnValues {
  readonly key: string
  readonly tenants: number
}

/** Counts, for each item of a group, the tenants that have their own value of it; of secrets each that is set counts. */
export async function countOwnValues(
  db: Knex,
  codec: ValueCodec,
  { items, declaration }: CatalogueGroup,
  platform: Levels,
): Promise<readonly OwnValues[]> {
  if (declaration.scope !== 'ALL_TENANTS') return []
  // What a tenant without a value of its own has.
  const levels: Levels = { ...platform, tenant: new Map() }
  const inherited = [...items.values()].map((item) => {
    const stored = platform.platform.get(idOf(item, levels))?.value
    const text = stored ?? codec.encode(item, inheritedValue(item, levels, codec))
    return { key: item.key, configId: idOf(item, levels), text }
  })
  if (inherited.length === 0) return []
  const counted = (await SystemConfigValue.acrossTenants(db)
    .where('tenant_id', '>', 0)
    .where((all) => {
      for (const { configId, text } of inherited) {
        void all.orWhere((one) => void one.where('config_id', configId).whereNot('value', text))
      }
    })
    .select('config_id')
    .count('* as tenants')
    .groupBy('config_id')) as unknown as readonly { readonly configId: number; readonly tenants: number | string }[]
  const found = new Map(counted.map(({ configId, tenants }) => [configId, Number(tenants)]))
  return inherited.map(({ key, configId }) => ({ key, tenants: found.get(configId) ?? 0 }))
}
