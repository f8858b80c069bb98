import { codeDefault, nameOf, type Catalogue, type CatalogueGroup, type CatalogueItem } from '../catalogue/catalogue.ts'
import type { EffectiveValue } from '../contract.ts'
import type { ValueRow, ValueRows } from './stored-values.ts'
import type { ValueCodec } from './value-codec.ts'

/** What is stored for a tenant and, as its default, for the platform, with the ids that tell whose it is. */
export interface Levels {
  readonly ids: ReadonlyMap<string, number>
  /** The tenant's own values; none for the platform. */
  readonly tenant: ValueRows | undefined
  readonly platform: ValueRows
}

/** The tenant's value, else the platform's, else the code's; of a secret that was given for another place, none. */
export function effectiveValue(item: CatalogueItem, levels: Levels, codec: ValueCodec): EffectiveValue {
  const id = idOf(item, levels)
  const own = item.scope === 'ALL_TENANTS' ? levels.tenant?.get(id) : undefined
  if (own && !hasMoved(item, own, levels)) return { value: codec.decode(item, own.value), source: 'tenant' }
  const platform = levels.platform.get(id)
  if (platform && !own && !hasOwnPlace(item, levels)) {
    return { value: codec.decode(item, platform.value), source: 'platform' }
  }
  const value = codeDefault(item)
  // A copy, because the caller may change what it was given.
  return { value: typeof value === 'object' ? structuredClone(value) : value, source: 'code' }
}

/** Key → effective value of a group, secrets in plain text. */
export function effectiveValues(
  { items }: CatalogueGroup,
  levels: Levels,
  codec: ValueCodec,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...items.values()].map((item) => [item.key, effectiveValue(item, levels, codec).value]))
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

/** Under which an item's values are stored; 0 where it is not known yet. */
export function idOf(item: CatalogueItem, { ids }: Levels): number {
  return ids.get(nameOf(item.scope, item.key)) ?? 0
}

/** Whether the tenant says itself where a secret goes: the platform's is not for that place. */
function hasOwnPlace(item: CatalogueItem, levels: Levels): boolean {
  return placesOf(item, levels).some((id) => levels.tenant?.has(id))
}

/** Whether the platform has moved, later than a tenant's secret was given, the place that it goes to. */
function hasMoved(item: CatalogueItem, own: ValueRow, { ids, tenant, platform }: Levels): boolean {
  return placesOf(item, { ids }).some((id) => !tenant?.has(id) && (platform.get(id)?.updatedAt ?? 0) > own.updatedAt)
}

function placesOf({ scope, declaration: { boundTo = [] } }: CatalogueItem, { ids }: Pick<Levels, 'ids'>): number[] {
  return boundTo.flatMap((key) => ids.get(nameOf(scope, key)) ?? [])
}
