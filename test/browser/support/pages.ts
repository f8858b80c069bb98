import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import type { Api } from '../../support/api.ts'
import type { Stage } from './stage.ts'

/** A page of the console as its own table of routes has it, with an address that leads to something. */
export interface PageOf {
  readonly route: string
  readonly path: string
  readonly permission: string | undefined
  /** Reached from another page, and from no entry of the menu. */
  readonly isUnlisted: boolean
}

interface RouteRecord {
  readonly path: string
  readonly meta?: {
    readonly open?: boolean
    readonly scope?: string
    readonly permission?: string
    readonly unlisted?: boolean
  }
}

// Not by its name: it has the types of a browser, which the tests have not.
const table = new URL('../../../core-plugins/console/web/app/routes.ts', import.meta.url).href

const servers = '/admin/ai/mcp-servers'

/** Every page that is open to everybody, or belongs to a side; pages of an account belong to both. */
export async function pagesOf(stage: Stage, scope: 'platform' | 'tenant' | 'open'): Promise<readonly PageOf[]> {
  const { routes } = (await import(table)) as { routes: readonly RouteRecord[] }
  const by = await stage.staff()
  const owner = await stage.owner()
  const plugin = await firstOf(by, '/admin/plugins', 'name')
  const quota = await firstOf(by, '/admin/ai/quotas', 'id')
  const theirs = await firstOf(owner, '/tenant/plugins', 'name')
  const server = (await firstOf(owner, servers, 'id')) ?? (await serverOf(owner))
  const filled: Readonly<Record<string, string | undefined>> = {
    '/admin/tenants/:id': `/admin/tenants/${await firstOf(by, '/admin/tenants?q=demo', 'id')}`,
    '/admin/plugins/:name/:tab?': plugin && `/admin/plugins/${plugin}`,
    '/admin/marketplace/:name': '/admin/marketplace/acme.guestbook',
    '/admin/roles/:id': `/admin/roles/${await firstOf(by, '/admin/roles', 'id')}`,
    '/admin/users/:id': `/admin/users/${await firstOf(by, '/admin/users', 'id')}`,
    '/tenant/plugins/:name/:tab?': theirs && `/tenant/plugins/${theirs}`,
    '/tenant/roles/:id': `/tenant/roles/${await firstOf(owner, '/tenant/roles', 'id')}`,
    '/tenant/users/:id': `/tenant/users/${await firstOf(owner, '/tenant/users', 'id')}`,
    '/admin/ai/models/:id': `/admin/ai/models/${await firstOf(by, '/admin/ai/models', 'id')}`,
    '/admin/ai/quotas/:id': quota && `/admin/ai/quotas/${quota}`,
    '/admin/ai/mcp-servers/:id/:tab?': `/admin/ai/mcp-servers/${server}`,
    '/tenant/mcp-servers/:id/:tab?': `/tenant/mcp-servers/${server}`,
    '/tenant/agents/:id': `/tenant/agents/${await firstOf(owner, '/admin/ai/agents', 'id')}`,
  }
  return routes.flatMap(({ path: route, meta = {} }) => {
    const isWanted = scope === 'open' ? meta.open : !meta.open && (meta.scope ?? scope) === scope
    const path = route in filled ? filled[route] : route.replace(/\/:\w+\?$/, '')
    if (!isWanted || path === undefined || route.includes(':rest')) return []
    return [{ route, path, permission: meta.permission, isUnlisted: meta.unlisted === true }]
  })
}

/** One that is spoken to by nobody. */
async function serverOf(by: Api): Promise<string> {
  const wish = { name: 'nobody', url: 'https://mcp.example.com/mcp', status: 'disabled', tools: ['search'] }
  return textOf(dataOf(await by.post(servers, wish), 201)['id'])
}

async function firstOf(by: Api, path: string, member: 'id' | 'name'): Promise<string | undefined> {
  const items = dataOf(await by.get(path))['items'] as unknown as Record<typeof member, string | number>[]
  return items[0] && String(items[0][member])
}
