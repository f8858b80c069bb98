import { isDeepStrictEqual } from 'node:util'
import { pickText } from '#kernel'
import { effectiveValue, inheritedValue, type Levels } from './effective.ts'
import type { GroupViews } from './group-view.ts'
import type { ValueCodec } from './value-codec.ts'

/** A value of a tenant's own beside the one that would hold without it; secrets are masked in both. */
interface DifferingValue {
  readonly key: string
  readonly name: string
  readonly group: string
  readonly group_name: string
  readonly value: unknown
  readonly platform_value: unknown
  readonly updated_at: string | null
}

/** What a tenant has set otherwise than the platform, group by group. */
export function differingValues(
  views: GroupViews,
  codec: ValueCodec,
  { tenantId, levels, locale }: { readonly tenantId: number; readonly levels: Levels; readonly locale: string },
): readonly DifferingValue[] {
  return views.list(tenantId).flatMap((group) => {
    const { items } = views.describe(group, tenantId, levels, { locale })
    const declared = [...group.items.values()]
    return items.flatMap(({ key, name, value, source, updated_at }, at) => {
      const item = declared[at]
      if (!item || source !== 'tenant') return []
      const above = inheritedValue(item, levels, codec)
      if (isDeepStrictEqual(effectiveValue(item, levels, codec).value, above)) return []
      const groupName = pickText(group.declaration.name, locale)
      return [
        {
          key,
          name,
          group: group.code,
          group_name: groupName,
          value,
          platform_value: codec.mask(item, above),
          updated_at,
        },
      ]
    })
  })
}
