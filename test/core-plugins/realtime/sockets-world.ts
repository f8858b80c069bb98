import type { Api } from '../../support/api.ts'
import { issueSession } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { notify, pluginsWith } from './world.ts'

/** A platform with the tenant `acme`, whose users open sockets. */
export interface SocketWorld extends AsyncDisposable {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  /** Another user of acme. */
  user(roles?: readonly string[]): Promise<{ readonly id: number; readonly api: Api }>
  /** A token of a user's that is good for so many seconds. */
  tokenFor(id: number, seconds: number): Promise<string>
  /** Sends a user a notification; answers its id. */
  tell(id: number, title?: string): Promise<string>
  /** Announces something to whoever holds these roles; answers its id. */
  announce(title: string, roles: readonly string[]): Promise<unknown>
}

/** Frames that no socket understands. */
export const wrongFrames = [
  '{',
  '[]',
  { type: 'dance' },
  { type: 'ack', id: 'x' },
  { type: 'subscribe', topics: 'all' },
]

/** Starts it. */
export async function startSocketWorld(): Promise<SocketWorld> {
  const platform = await startTestPlatform({ plugins: pluginsWith() })
  const acme = await platform.createTenant('acme')
  let made = 0
  return {
    platform,
    acme,
    user: (roles = ['tenant_user']) => platform.createUser(acme, `user${(made += 1)}@acme.test`, roles),
    tokenFor: async (id, seconds) => (await issueSession(platform, acme.id, id, { seconds })).access,
    tell: (id, title = 'hi') => notify(platform.test, acme.id, id, title),
    async announce(title, roles) {
      const body = { title: { default: title }, audience: { roles } }
      return dataOf(await acme.owner.post('/tenant/announcements', body), 201)['id']
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}

/** What opens one socket of a user without a header. */
export async function ticketOf(api: Api): Promise<string> {
  return dataOf(await api.post('/auth/ws-ticket'))['ticket'] as unknown as string
}

/** Opens a socket: with what code it is closed, or `open` once something came. */
export async function openingOf(by: Api, path: string): Promise<number | 'open'> {
  using client = SocketClient.as(by, path)
  await until(() => client.frames.length > 0 || client.closed !== undefined)
  return client.closed?.code ?? 'open'
}
