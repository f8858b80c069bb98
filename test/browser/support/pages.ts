import { dataOf } from '../../support/platform.ts'
import type { Stage } from './stage.ts'

/** A page of the console as its own table of routes has it, with an address that leads to something. */
export interface PageOf {
  readonly route: string
  readonly path: string
  readonly permission: string | undefined
}

interface RouteRecord {
  readonly path: string
  readonly meta?: { readonly open?: boolean; readonly scope?: string; readonly permission?: string }
}

// Not by its name: it has the types of a browser, which the tests have not.
const table = new URL('../../../core-plugins/console/web/app/routes.ts', import.meta.url).href

/** Every page that is open to everybody, or belongs to a side; pages of an account belong to both. */
export async function pagesOf({ staff }: Stage, scope: 'platform' | 'tenant' | 'open'): Promise<readonly PageOf[]> {
  const { routes } = (await import(table)) as { routes: readonly RouteRecord[] }
  const tenants = dataOf(await (await staff()).get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
  const plugins = dataOf(await (await staff()).get('/admin/plugins'))['items'] as unknown as { name: string }[]
  const filled: Readonly<Record<string, string | undefined>> = {
    '/admin/tenants/:id': `/admin/tenants/${tenants[0]?.id}`,
    '/admin/plugins/:name': plugins[0] && `/admin/plugins/${plugins[0].name}`,
    '/admin/marketplace/:name': '/admin/marketplace/acme.guestbook',
  }
  return routes.flatMap(({ path: route, meta = {} }) => {
    const isWanted = scope === 'open' ? meta.open : !meta.open && (meta.scope ?? scope) === scope
    const path = route in filled ? filled[route] : route.replace(/\/:\w+\?$/, '')
    if (!isWanted || path === undefined || route.includes(':rest')) return []
    return [{ route, path, permission: meta.permission }]
  })
}
