import { codeDefault, nameOf, type Catalogue, type CatalogueItem } from './catalogue.ts'
import type { EffectiveValue } from './contract.ts'
import type { ValueRow, ValueRows } from './stored-values.ts'
import type { ValueCodec } from './values/value-codec.ts'

/** What is stored for a tenant and, as its default, for the platform, with the ids that tell whose it is. */
export interface Levels {
  readonly ids: ReadonlyMap<string, number>
  /** The tenant's own values; none for the platform. */
  readonly tenant: ValueRows | undefined
  readonly platform: ValueRows
}

/** The tenant's value, else the platform's, else the code's. */
export function effectiveValue(item: CatalogueItem, levels: Levels, codec: ValueCodec): EffectiveValue {
  const id = idOf(item, levels)
  const own = item.scope === 'ALL_TENANTS' ? levels.tenant?.get(id) : undefined
  if (own) return { value: codec.decode(item, own.value), source: 'tenant' }
  const platform = levels.platform.get(id)
  if (platform) return { value: codec.decode(item, platform.value), source: 'platform' }
  const value = codeDefault(item)
  // A copy, because the caller may change what it was given.
  return { value: typeof value === 'object' ? structuredClone(value) : value, source: 'code' }
}

/** What would hold without a value of the tenant's, or where there is no tenant of the platform's, own. */
export function inheritedValue(item: CatalogueItem, levels: Levels, codec: ValueCodec): unknown {
  const above = levels.tenant ? { ...levels, tenant: undefined } : { ...levels, platform: new Map() }
  return effectiveValue(item, above, codec).value
}

/** The platform's value of one of its own items. */
export function platformValue(
  { catalogue, codec }: { readonly catalogue: Catalogue; readonly codec: ValueCodec },
  key: string,
  levels: Levels,
): unknown {
  const item = catalogue.findItem(key, 0)
  return item && effectiveValue(item, levels, codec).value
}

/** The row of the tenant itself, or of the platform where there is no tenant. */
export function ownRow(item: CatalogueItem, levels: Levels): ValueRow | undefined {
  return (levels.tenant ?? levels.platform).get(idOf(item, levels))
}

function idOf(item: CatalogueItem, { ids }: Levels): number {
  return ids.get(nameOf(item.scope, item.key)) ?? 0
}
