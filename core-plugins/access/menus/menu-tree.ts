import { createHash } from 'node:crypto'
import { locales, pickText, type MenuDeclaration } from '#kernel'
import type { ArrangedMenu } from './arrange-menus.ts'
import type { MenuOverride } from './models.ts'

/** One entry of the navigation as the wire shows it. */
export interface Menu {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
  readonly title: string
  readonly title_key: string
  readonly type: MenuDeclaration['type']
  readonly path: string | null
  readonly component: string | null
  readonly redirect: null
  readonly icon: string | null
  readonly permission: string | null
  readonly sort: number
  readonly plugin: string | null
  readonly meta: {
    readonly hidden: boolean
    readonly keep_alive: boolean
    readonly external_url: string | null
    readonly badge: null
    readonly affix: boolean
  }
  readonly children: readonly Menu[]
}

/** What whoever arranges menus also sees of an entry. */
export interface ManagedMenu extends Menu {
  readonly area: MenuDeclaration['area']
  /** What it is called in each language, as its plugin declared it. */
  readonly declared_titles: Readonly<Record<string, string>>
  /** What the platform arranged otherwise than it was declared. */
  readonly overrides: Readonly<Record<string, unknown>>
  readonly children: readonly ManagedMenu[]
}

/** Entries as a tree, in order; one whose parent is not among them stands at the top. */
export function menuTree(menus: readonly ArrangedMenu[], locale: string): readonly Menu[] {
  const names = new Set(menus.map(({ declared }) => declared.name))
  const below = Map.groupBy(menus, ({ parent }) => (parent !== undefined && names.has(parent) ? parent : undefined))
  const branch = (parent: string | undefined): readonly Menu[] =>
    (below.get(parent) ?? [])
      .map((menu) => present(menu, parent, branch(menu.declared.name), locale))
      .sort((a, b) => a.sort - b.sort || a.id - b.id)
  return branch(undefined)
}

/** The same tree with what its arrangers look at. */
export function managedTree(menus: readonly ArrangedMenu[], locale: string): readonly ManagedMenu[] {
  const byName = new Map(menus.map((menu) => [menu.declared.name, menu]))
  const manage = (tree: readonly Menu[]): readonly ManagedMenu[] =>
    tree.flatMap((menu) => {
      const arranged = byName.get(menu.name)
      if (!arranged) return []
      const { declared, override } = arranged
      const titles = Object.fromEntries(locales.map((each) => [each, pickText(declared.title, each)]))
      const about = { area: declared.area, declared_titles: titles, overrides: presentOverride(override) }
      return [{ ...menu, ...about, children: manage(menu.children) }]
    })
  return manage(menuTree(menus, locale))
}

/** The same tree without folders that lead nowhere. */
export function withoutEmptyFolders(menus: readonly Menu[]): readonly Menu[] {
  return menus.flatMap((menu) => {
    const children = withoutEmptyFolders(menu.children)
    return menu.type === 'dir' && children.length === 0 ? [] : [{ ...menu, children }]
  })
}

function presentOverride(override: MenuOverride | undefined): Readonly<Record<string, unknown>> {
  if (!override) return {}
  const { hidden, sort, title, titles, moved, parent } = override
  const said = Object.entries({ hidden, sort, title, titles }).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(said), ...(moved && { parent }) }
}

function present(
  { declared, plugin, sort, hidden, override }: ArrangedMenu,
  parent: string | undefined,
  children: readonly Menu[],
  locale: string,
): Menu {
  return {
    id: idOf(declared.name),
    parent_id: parent === undefined ? null : idOf(parent),
    name: declared.name,
    title: override?.titles?.[locale] ?? override?.title ?? pickText(declared.title, locale),
    title_key: `menu.${declared.name}`,
    type: declared.type,
    path: declared.type === 'link' ? null : (declared.path ?? null),
    component: declared.component ?? null,
    redirect: null,
    icon: declared.icon ?? null,
    permission: declared.permission ?? null,
    sort,
    plugin: declared.type === 'plugin' ? plugin : null,
    meta: {
      hidden,
      keep_alive: false,
      external_url: declared.type === 'link' ? (declared.path ?? null) : null,
      badge: null,
      affix: false,
    },
    children,
  }
}

/** Menus have no row; the name gives an integer that stays the same on every host and after every start. */
function idOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() >>> 1
}
