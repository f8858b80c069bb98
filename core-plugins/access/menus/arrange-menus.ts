import type { Manifest, MenuDeclaration } from '#kernel'
import type { MenuOverride } from './models.ts'

/** A declared entry as the platform arranged it. */
export interface ArrangedMenu {
  readonly declared: MenuDeclaration
  readonly plugin: string
  readonly parent: string | undefined
  readonly sort: number
  readonly hidden: boolean
  readonly override: MenuOverride | undefined
}

/** Every declared entry of the enabled plugins; one whose parents would go in a circle stands at the top. */
export function arrangeMenus(
  manifests: readonly Manifest[],
  overrides: readonly MenuOverride[],
): readonly ArrangedMenu[] {
  const byName = new Map(overrides.map((override) => [override.name, override]))
  const all = manifests.flatMap(({ name: plugin, menus = [] }) =>
    menus.map((declared): ArrangedMenu => {
      const override = byName.get(declared.name)
      return {
        declared,
        plugin,
        parent: override?.moved ? (override.parent ?? undefined) : declared.parent,
        sort: override?.sort ?? declared.sort,
        hidden: override?.hidden ?? declared.hidden ?? false,
        override,
      }
    }),
  )
  const parents = new Map(all.map(({ declared, parent }) => [declared.name, parent]))
  return all.map((menu) => (isUnderItself(menu.declared.name, parents) ? { ...menu, parent: undefined } : menu))
}

/** Whether the way up from an entry comes back to it. */
export function isUnderItself(name: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set<string>()
  for (let at = parents.get(name); at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === name) return true
    seen.add(at)
  }
  return false
}
