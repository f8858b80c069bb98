import type { Route } from '../route.ts'

/** An entry of the navigation, as far as it matters here. */
export interface MenuEntry {
  readonly name: string
  readonly type: string
  /** Of its page in the console. */
  readonly path?: string
  readonly permission?: string
}

type Asked = Pick<Route, 'path' | 'permission'>
/** Finds the entry of the navigation whose page an operation belongs to. */
export type MenuFinder = (route: Asked) => string | { platform?: string; tenant?: string } | undefined

/** What the page of a whole resource asks for. */
const ofWhole = new Set(['list', 'groups', 'browse', 'read'])

/**
 * Of the entries for the resource of an operation: the one whose page has the longest path that the operation is below, or else the first
 * that lists the resource, that asks for the very permission, or that there is. Undefined where there is none; where the scopes ask for
 * different permissions, one for each.
 */
export function menuFinder(menus: readonly MenuEntry[]): MenuFinder {
  const pages = menus.filter(({ type }) => type === 'menu')
  const byResource = Map.groupBy(pages, ({ permission = '' }) => partsOf(permission).resource)

  function find(path: string, permission: string): string | undefined {
    const entries = byResource.get(partsOf(permission).resource) ?? []
    const above = entries
      .filter((entry) => entry.path !== undefined && `${path}/`.startsWith(`${entry.path}/`))
      .toSorted((one, other) => (other.path?.length ?? 0) - (one.path?.length ?? 0))
    const found =
      above[0] ??
      entries.find((entry) => ofWhole.has(partsOf(entry.permission ?? '').action)) ??
      entries.find((entry) => entry.permission === permission) ??
      entries[0]
    return found?.name
  }

  return ({ path, permission }) => {
    if (permission === undefined) return undefined
    if (typeof permission === 'string') return find(path, permission)
    const [platform, tenant] = [find(path, permission.platform), find(path, permission.tenant)]
    if (platform === undefined && tenant === undefined) return undefined
    return { ...(platform !== undefined && { platform }), ...(tenant !== undefined && { tenant }) }
  }
}

function partsOf(permission: string): { readonly resource: string; readonly action: string } {
  const at = permission.lastIndexOf(':')
  return { resource: permission.slice(0, at), action: permission.slice(at + 1) }
}
