import type { Route } from '../route.ts'

/** An entry of the navigation, as far as it matters here. */
export interface MenuEntry {
  readonly name: string
  readonly type: string
  readonly permission?: string
}

/** Finds the entry of the navigation whose page an operation belongs to. */
export type MenuFinder = (
  permission: Route['permission'],
) => string | { platform?: string; tenant?: string } | undefined

/**
 * The one that asks for the permission of the operation, or else the first that asks for another one
 * of the same resource. Undefined where there is none; where the scopes ask for different ones, one for each.
 */
export function menuFinder(menus: readonly MenuEntry[]): MenuFinder {
  const byPermission = new Map<string, string>()
  const byResource = new Map<string, string>()
  // The first one stays.
  for (const { name, type, permission } of menus.toReversed()) {
    if (type !== 'menu' || permission === undefined) continue
    byPermission.set(permission, name)
    byResource.set(resourceOf(permission), name)
  }
  const find = (permission: string): string | undefined =>
    byPermission.get(permission) ?? byResource.get(resourceOf(permission))
  return (permission) => {
    if (permission === undefined || typeof permission === 'string') return permission && find(permission)
    const [platform, tenant] = [find(permission.platform), find(permission.tenant)]
    if (platform === undefined && tenant === undefined) return undefined
    return { ...(platform !== undefined && { platform }), ...(tenant !== undefined && { tenant }) }
  }
}

function resourceOf(permission: string): string {
  return permission.slice(0, permission.lastIndexOf(':'))
}
