import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin } from '#kernel'
import { aiAlertRaised } from '../../../../core-plugins/ai/contract.ts'
import type { Api, Body } from '../../../support/api.ts'
import { createTenant, dataOf } from '../../../support/platform.ts'
import { described } from '../../../support/probe.ts'
import { healthWorld, itemsOf, type Row } from './world.ts'

/** Where rules of alerts are. */
export const rulesPath = '/admin/ai/health/alerts'

/** A platform with a web hook that is told of alerts, a listener that hears of them, and the owner of a tenant. */
export async function alertWorld() {
  const posted: Body[] = []
  const hook = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      posted.push(JSON.parse(text) as Body)
      response.end()
    })
  })
  hook.listen(0, '127.0.0.1')
  await once(hook, 'listening')
  const address = `127.0.0.1:${String((hook.address() as AddressInfo).port)}`
  const raised: string[] = []
  const listener = definePlugin({
    ...described('listener'),
    setup: (scope) => scope.on(aiAlertRaised, ({ rule }) => void raised.push(rule)),
  })
  const world = await healthWorld([address], [listener])
  const { admin } = world
  // What opens stays open for as long as a test may take.
  dataOf(await admin.put('/admin/ai/gateway', { breaker: { open_s: 600, open_max_s: 600 } }))
  const { owner } = await createTenant(admin, 'acme')

  const told = async (by: Api = admin): Promise<readonly unknown[]> =>
    (await itemsOf(by, '/notifications?source=ai')).map(({ title }) => title)
  return {
    ...{ ...world, owner, posted, raised, told },
    hookUrl: `http://${address}/services/secret-token?key=of-the-hook`,
    toldOf: async (name: string) => (await told()).filter((title) => String(title).includes(name)),
    make: async (rule: object, by: Api = admin): Promise<Row> =>
      dataOf(await by.post(rulesPath, rule), 201) as unknown as Row,
    find: async (id: unknown): Promise<Record<string, unknown>> =>
      (await itemsOf(admin, `${rulesPath}?page_size=100`)).find((each) => each.id === id) ?? {},
    tripping: async (action: 'trip' | 'reset', provider: string) =>
      dataOf(
        await admin.post('/admin/ai/gateway/failover', { action, target: { provider_id: provider }, force: true }),
      ),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      hook.close()
    },
  }
}

/** A rule that says no more than when. */
export function ruleOf(when: object, more: object = {}) {
  return { name: 'a rule', when, ...more }
}
