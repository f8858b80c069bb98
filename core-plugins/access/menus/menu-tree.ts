import { createHash } from 'node:crypto'
import type { Manifest, MenuDeclaration, Principal } from '#kernel'

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

interface Declared {
  readonly menu: MenuDeclaration
  readonly plugin: string
}

/** The navigation of a caller: entries whose permission is held, folders that are not empty. */
export function menuTree(manifests: readonly Manifest[], principal: Principal, locale: string): readonly Menu[] {
  const declared = manifests.flatMap(({ name: plugin, menus = [] }) => menus.map((menu) => ({ menu, plugin })))
  const visible = declared.filter(({ menu }) => isForCaller(menu, principal))
  const names = new Set(visible.map(({ menu }) => menu.name))
  return branch(visible, names, undefined, locale)
}

function isForCaller({ area, permission }: MenuDeclaration, principal: Principal): boolean {
  if ((area === 'admin') !== (principal.scope === 'platform')) return false
  return permission === undefined || principal.can(permission)
}

/** A menu whose parent is not there stands at the top. */
function branch(
  all: readonly Declared[],
  names: ReadonlySet<string>,
  parent: string | undefined,
  locale: string,
): readonly Menu[] {
  return all
    .filter(({ menu }) => (menu.parent !== undefined && names.has(menu.parent) ? menu.parent : undefined) === parent)
    .map((entry) => present(entry, parent, branch(all, names, entry.menu.name, locale), locale))
    .filter(({ type, children }) => type !== 'dir' || children.length > 0)
    .sort((a, b) => a.sort - b.sort || a.id - b.id)
}

function present(
  { menu, plugin }: Declared,
  parent: string | undefined,
  children: readonly Menu[],
  locale: string,
): Menu {
  return {
    id: idOf(menu.name),
    parent_id: parent === undefined ? null : idOf(parent),
    name: menu.name,
    title: menu.title[locale] ?? menu.title.default,
    title_key: `menu.${menu.name}`,
    type: menu.type,
    path: menu.type === 'link' ? null : (menu.path ?? null),
    component: menu.component ?? null,
    redirect: null,
    icon: menu.icon ?? null,
    permission: menu.permission ?? null,
    sort: menu.sort,
    plugin: menu.type === 'plugin' ? plugin : null,
    meta: {
      hidden: false,
      keep_alive: false,
      external_url: menu.type === 'link' ? (menu.path ?? null) : null,
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
