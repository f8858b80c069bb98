import { until } from '../support/until.ts'
import type { Answer } from '../support/api.ts'
import type { Ledger } from './ledger.ts'
import type { World } from './world.ts'

const names = ['acme.chaos', 'acme.guestbook']
const patience = 10_000

/** Every plugin is enabled, and runs on both hosts; what is not so in time is a fault. */
export async function lookAtPlugins(world: World, ledger: Ledger): Promise<void> {
  let seen: readonly string[] = []
  const isWell = async () =>
    (seen = (await Promise.all(([0, 1] as const).map((at) => badAt(world, at)))).flat()).length === 0
  await until(isWell, patience).catch(() => ledger.fault(`plugins are not well: ${seen.join('; ')}`))
}

async function badAt(world: World, at: 0 | 1): Promise<readonly string[]> {
  const admin = world.admin(at)
  const nothing = (error: unknown): string => String(error)
  const statuses = await Promise.all(
    names.map(async (name) => {
      const answer = await admin.get(`/admin/plugins/${name}`).catch(nothing)
      const status = typeof answer === 'string' ? answer : (dataOf(answer)['status'] ?? `${answer.status}`)
      return status === 'enabled' ? [] : [`${name} is ${JSON.stringify(status)} at host ${at}`]
    }),
  )
  const hosts = await admin.get('/admin/hosts').catch(nothing)
  if (typeof hosts === 'string') return [...statuses.flat(), hosts]
  const items = (dataOf(hosts)['items'] ?? []) as readonly {
    is_this: boolean
    alive: boolean
    plugins: unknown[]
    faults: unknown[]
  }[]
  const own = items.find((host) => host.is_this)
  const isRunning = own?.plugins.length === names.length && own.faults.length === 0
  return [...statuses.flat(), ...(isRunning ? [] : [`host ${at} shows itself as ${JSON.stringify(own ?? hosts.body)}`])]
}

function dataOf({ body }: Answer): Record<string, unknown> {
  return (body['data'] as Record<string, unknown> | undefined) ?? {}
}
