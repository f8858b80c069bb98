import type { SecretBox } from '#kernel'
import { codeDefault, nameOf, type CatalogueItem } from './catalogue.ts'
import type { EffectiveValue } from './contract.ts'
import type { ValueRow, ValueRows } from './stored-values.ts'
import { fromStoredText } from './values/stored-text.ts'

/** What is stored for a tenant and, as its default, for the platform, with the ids that tell whose it is. */
export interface Levels {
  readonly ids: ReadonlyMap<string, number>
  /** The tenant's own values; none for the platform. */
  readonly tenant: ValueRows | undefined
  readonly platform: ValueRows
}

/** The tenant's value, else the platform's, else the code's. */
export function effectiveValue(item: CatalogueItem, levels: Levels, secrets: SecretBox): EffectiveValue {
  const { type } = item.declaration
  const id = levels.ids.get(nameOf(item.scope, item.key)) ?? 0
  const own = item.scope === 'ALL_TENANTS' ? levels.tenant?.get(id) : undefined
  if (own) return { value: fromStoredText(type, own.value, secrets), source: 'tenant' }
  const platform = levels.platform.get(id)
  if (platform) return { value: fromStoredText(type, platform.value, secrets), source: 'platform' }
  const value = codeDefault(item)
  // A copy, because the caller may change what it was given.
  return { value: typeof value === 'object' ? structuredClone(value) : value, source: 'code' }
}

/** The row of the tenant itself, or of the platform where there is no tenant. */
export function ownRow(item: CatalogueItem, { ids, tenant, platform }: Levels): ValueRow | undefined {
  return (tenant ?? platform).get(ids.get(nameOf(item.scope, item.key)) ?? 0)
}
