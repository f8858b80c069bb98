import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import type { Api } from '../../support/api.ts'
import { dataOf, type Platform } from '../../support/platform.ts'
import { packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { disableWithUsers } from '../../support/with-users.ts'

/** What hosts of one platform have in common. */
export const hostSecrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

/** More than a limited process writes into one file, and the zip of that is less. */
export const smallFiles = 300_000
/** For a machine that others use as well. */
export const patience = 120_000
const largeFile = 400_000

/** What a host tells of itself. */
export interface ListedHost {
  readonly id: string
  readonly is_this: boolean
  readonly alive: boolean
  readonly version: string
  readonly generation: number
  readonly uptime_seconds: number
  readonly memory: { readonly heap_used: number }
  readonly plugins: readonly { readonly name: string; readonly version: string }[]
  readonly faults: readonly {
    readonly plugin: string
    readonly reason: string
    readonly since: string
    readonly tries: number
    readonly next_try_at: string
  }[]
}

/** A plugin that says hi, with a file in it that a full disk does not take. */
export function packLarge(name: string, version = '1.0.0'): Promise<Buffer> {
  const routes = { version, admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
  const text = randomBytes(largeFile / 2).toString('hex')
  return packSmall(name, routes, '{ handlers: { hi: () => ({ hi: true }) } }', { 'ui/large.txt': text })
}

/** The hosts, as the host that is asked shows them. */
export async function hostsOf(api: Api, path = '/admin/hosts'): Promise<readonly ListedHost[]> {
  return dataOf(await api.get(path))['items'] as unknown as ListedHost[]
}

/** What the host that is asked tells of itself, once it has tried to start its plugins. */
export async function ownHost(api: Api): Promise<ListedHost> {
  let own: ListedHost | undefined
  await until(async () => {
    own = (await hostsOf(api)).find(({ is_this: isThis }) => isThis)
    return own !== undefined
  }, patience)
  if (!own) throw new Error('the host is not on its own list')
  return own
}

/** The status of a plugin as administrators see it. */
export async function statusOf(api: Api, name: string): Promise<unknown> {
  return dataOf(await api.get(`/plugins/${name}`))['status']
}

/** Ends the first host's part of the database, so that a second one may take it without Redis. */
export async function leaveDatabase({ host }: Platform): Promise<void> {
  await disableWithUsers(host.kernel, 'plugins', 'system')
}
