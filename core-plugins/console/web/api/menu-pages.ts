import type { Router } from 'vue-router'
import type { Menu } from './me.ts'

/** Entries that lead to a page of this console, in folders that are not empty. */
export function menusWithPages(menus: readonly Menu[], router: Router): readonly Menu[] {
  return menus.flatMap((menu) => {
    if (menu.meta.hidden) return []
    const children = menusWithPages(menu.children, router)
    // A folder around one page is one click too many.
    if (children.length === 1 && menu.path === null) return children
    if (children.length > 0) return [{ ...menu, children }]
    return menu.path !== null && isPage(menu.path, router) ? [{ ...menu, children }] : []
  })
}

function isPage(path: string, router: Router): boolean {
  return router.resolve(path).name !== 'missing'
}
