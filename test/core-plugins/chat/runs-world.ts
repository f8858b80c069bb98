import type { Knex } from 'knex'
import type { Api } from '../../support/api.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { startFakeUpstream } from '../../support/fake-upstream/start.ts'
import { makeAgent, tenantWithUser } from '../agents/world.ts'

/** A platform whose one model is at a vendor in a process of its own, with an agent of a tenant and a user of it. */
export async function startWithVendor(env: Readonly<Record<string, string>> = {}) {
  await using started = new AsyncDisposableStack()
  const upstream = started.use(await startFakeUpstream())
  const lane = upstream.lane('chat')
  const all = { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}`, ...env }
  const platform: Platform = started.use(await startPlatform({ env: all }))
  const { admin } = platform
  const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: lane.v1 }
  const provider = await admin.post('/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-test-1234' } })
  const model = { name: 'fast', kind: 'chat', provider_id: dataOf(provider, 201)['id'], upstream_model: 'up' }
  dataOf(await admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }), 201)
  dataOf(await admin.put('/admin/ai/gateway', { breaker: { min_requests: 1_000, consecutive: 100 } }))
  const { owner, user, userId, id: tenantId } = await tenantWithUser(platform, 'runs')
  const agent = await makeAgent(owner, { model: 'fast', generate_titles: false })
  const stack = started.move()
  const db = (): Knex => platform.host.kernel.database.knex
  return {
    platform,
    lane,
    /** Another model, at a vendor whose behaviour is its own. */
    addModel: (name: string, more: object = {}) => addModelAt(admin, upstream, name, more),
    owner,
    user,
    userId,
    agent,
    tenantId,
    env: all,
    db,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Another model, at a vendor whose behaviour is its own. */
export async function addModelAt(
  admin: Api,
  upstream: Awaited<ReturnType<typeof startFakeUpstream>>,
  name: string,
  more: object = {},
) {
  const own = upstream.lane(name)
  const at = { code: name, name, type: 'openai_compatible', base_url: own.v1 }
  const made = await admin.post('/admin/ai/providers', { ...at, credentials: { api_key: 'sk-test-1234' } })
  const wanted = { name, kind: 'chat', provider_id: dataOf(made, 201)['id'], upstream_model: 'up' }
  dataOf(await admin.post('/admin/ai/models', { ...wanted, price: { input: '1', output: '2' }, ...more }), 201)
  return own
}
