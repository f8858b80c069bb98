import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'

const path = '/admin/ai/gateway'
const target = (id: string, model = 'chat-fast', more: object = {}) => ({ id, model, ...more })

describe('the AI gateway, as administrators have it', () => {
  let platform: Platform
  let acme: { owner: Api; id: number }
  let provider: string
  before(async () => {
    platform = await startPlatform()
    acme = await createTenant(platform.admin, 'acme')
    provider = await makeProvider(platform.admin)
    for (const name of ['chat-fast', 'chat-long', 'local']) await makeModel(platform.admin, name, provider)
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of ['ai_routes', 'ai_gateway_settings']) await db()(table).queryContext({ tenant: 'all' }).delete()
  })

  const db = (): Knex => platform.host.kernel.database.knex
  async function makeProvider(by: Api): Promise<string> {
    const vendor = { code: 'vendor', name: 'Vendor', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
    return dataOf(await by.post('/admin/ai/providers', vendor), 201)['id'] as unknown as string
  }
  async function makeModel(by: Api, name: string, providerId: string): Promise<void> {
    const model = { name, kind: 'chat', provider_id: providerId, upstream_model: 'x', aliases: [`${name}-alias`] }
    dataOf(await by.post('/admin/ai/models', model), 201)
  }
  const add = async (by: Api, more: object = {}): Promise<Body> =>
    dataOf(await by.post(`${path}/routes`, { name: 'route', targets: [target('t1')], ...more }), 201)
  const idOf = ({ id }: Body): string => id as unknown as string
  const rules = ({ body }: { body: Body }): unknown =>
    (body['errors'] as unknown as { field: string; rule: string }[]).map(({ field, rule }) => `${field} ${rule}`)
  const refused = async (more: object, by = platform.admin): Promise<unknown> =>
    rules(await by.post(`${path}/routes`, { name: 'route', targets: [target('t1')], ...more }))

  it('has settings that are changed part by part, by who has seen the version, and can be tried', async () => {
    const usual = dataOf(await platform.admin.get(path))
    assert.deepEqual([usual['version'], usual['default_strategy']], [0, 'balanced'])
    const change = { retry: { max_attempts: 5 }, enabled: false }
    const tried = dataOf(await platform.admin.put(`${path}?dry_run=true`, change))
    assert.deepEqual([tried['dry_run'], tried['enabled'], tried['version']], [true, false, 0])
    assert.deepEqual(dataOf(await platform.admin.get(path)), usual)
    const done = dataOf(await platform.admin.put(path, change, { headers: { 'if-match': '"0"' } }))
    const before = usual as unknown as { retry: object }
    assert.deepEqual(done, { ...usual, enabled: false, version: 1, retry: { ...before.retry, max_attempts: 5 } })
    assert.equal(refusalOf(await platform.admin.put(path, change, { headers: { 'if-match': '"0"' } })).code, 4120)
    assert.equal(dataOf(await platform.admin.put(path, change))['version'], 1)
    // What was read may be given back as it is.
    assert.deepEqual(dataOf(await platform.admin.put(path, done)), done)
    const older = refusalOf(await platform.admin.put(path, { ...done, version: 0 }))
    assert.deepEqual([older.code, older.reason], [4120, 'version_conflict'])
    const { items } = dataOf(await platform.admin.get('/admin/audit-logs?action=ai_gateway.updated'))
    assert.equal((items as unknown as Body[]).length, 1)
  })

  it('has no settings that contradict each other, and only the platform changes them', async () => {
    const wrong = { breaker: { open_s: 60, open_max_s: 30 }, retry: { backoff_ms: [2_000, 100] } }
    for (const query of ['', '?dry_run=true']) {
      const answer = await platform.admin.put(`${path}${query}`, wrong)
      assert.deepEqual(rules(answer), ['retry.backoff_ms order', 'breaker.open_max_s order'])
    }
    assert.equal((await platform.admin.put(path, { retry: { max_attempts: 99 } })).status, 422)
    assert.equal((await platform.admin.put(path, { surprise: true })).status, 422)
    assert.deepEqual(
      [(await acme.owner.get(path)).status, (await acme.owner.put(path, { enabled: true })).status],
      [200, 403],
    )
  })

  it('has routes with targets that are there, one of them at least in use, and weights that mean something', async () => {
    const made = await add(platform.admin, { match: { models: ['chat-fast-alias'] }, strategy: 'weighted' })
    assert.deepEqual(made['targets'], [{ id: 't1', model: 'chat-fast', tier: 0, weight: 1, enabled: true }])
    assert.deepEqual([made['priority'], made['scope'], made['cache']], [100, 'platform', null])
    const { items } = dataOf(await platform.admin.get('/admin/audit-logs?action=ai_route.created'))
    assert.ok((items as unknown as { target: string }[]).some(({ target }) => target === `ai_route:${idOf(made)}`))
    // The strategy of its own is taken away again.
    const own = await platform.admin.put(`${path}/routes/${idOf(made)}`, { strategy: null })
    assert.deepEqual([made['strategy'], dataOf(own)['strategy']], ['weighted', null])
    assert.equal((await add(platform.admin, { strategy: null }))['strategy'], null)
    assert.deepEqual(await refused({ targets: [target('t1', 'none'), target('t1', 'local@2')] }), [
      'targets unique_ids',
      'targets[0].model known',
    ])
    assert.deepEqual(await refused({ targets: [target('t1', 'local', { enabled: false })] }), ['targets one_enabled'])
    const idle = [target('t1'), target('t2', 'local', { tier: 1, weight: 0 })]
    assert.deepEqual(await refused({ targets: idle }), ['targets weight'])
    assert.deepEqual(await refused({ targets: [target('t1', 'local', { provider_id: 'prv_none' })] }), [
      'targets[0].provider_id known',
    ])
  })

  it('has no fallbacks in a circle, also over several routes', async () => {
    const to = (model: string) => [{ on: ['failed'], model }]
    await add(platform.admin, { match: { models: ['chat-fast'] }, fallbacks: to('chat-long') })
    const long = await add(platform.admin, { match: { models: ['chat-long'] }, fallbacks: to('local') })
    const back = { match: { models: ['local'] }, fallbacks: to('chat-fast') }
    assert.deepEqual(await refused(back), ['fallbacks[0].model circle'])
    assert.deepEqual(await refused({ ...back, fallbacks: to('local') }), ['fallbacks[0].model circle'])
    const id = long['id'] as unknown as string
    dataOf(await platform.admin.put(`${path}/routes/${id}`, { enabled: false }))
    const local = await add(platform.admin, back)
    assert.deepEqual(rules(await platform.admin.put(`${path}/routes/${id}`, { enabled: true })), [
      'fallbacks[0].model circle',
    ])
    dataOf(await platform.admin.delete(`${path}/routes/${local['id'] as unknown as string}`))
    dataOf(await platform.admin.put(`${path}/routes/${id}`, { enabled: true }))
  })

  it('has routes of tenants, which no other tenant sees or changes', async () => {
    const own = await add(acme.owner, { priority: 7 })
    const ofPlatform = await add(platform.admin)
    const [mine, theirs] = [idOf(own), idOf(ofPlatform)]
    assert.equal(dataOf(await acme.owner.get(`${path}/routes`))['total'], 1)
    assert.equal(dataOf(await platform.admin.get(`${path}/routes?tenant_id=${acme.id}`))['total'], 1)
    assert.equal(
      refusalOf(await acme.owner.put(`${path}/routes/${theirs}`, { name: 'x' })).reason,
      'ai_route_not_found',
    )
    assert.equal((await acme.owner.delete(`${path}/routes/${theirs}`)).status, 404)
    assert.deepEqual(await refused({ match: { tenants: [99] } }, acme.owner), ['match.tenants own_tenant'])
    assert.deepEqual(await refused({ targets: [target('t1', 'local', { provider_id: provider })] }, acme.owner), [
      'targets[0].provider_id known',
    ])
    const stale = await acme.owner.put(`${path}/routes/${mine}`, { name: 'x' }, { headers: { 'if-match': '"3"' } })
    assert.equal(refusalOf(stale).code, 4120)
  })

  it('keeps models that its routes name, unless they are taken by force', async () => {
    await makeModel(platform.admin, 'named', provider)
    await add(platform.admin, { name: 'by alias', targets: [target('t1', 'named-alias@1')] })
    const { items } = dataOf(await platform.admin.get('/admin/ai/models?q=named'))
    const id = (items as unknown as { id: string }[])[0]?.id ?? ''
    const answer = await platform.admin.delete(`/admin/ai/models/${id}`)
    assert.deepEqual(
      [refusalOf(answer), answer.body['details']],
      [{ status: 409, code: 4095, reason: 'model_in_use' }, { by: { routes: ['by alias'] } }],
    )
    const otherwise = { match: { models: ['named'] }, fallbacks: [{ on: ['context_length'], model: 'chat-long' }] }
    await add(platform.admin, { name: 'otherwise', priority: 0, ...otherwise })
    const asked = { action: 'simulate', request: { model: 'named' } }
    const goesTo = async (): Promise<unknown> => {
      const { order } = dataOf(await platform.admin.post(`${path}/failover`, asked))
      return (order as unknown as { model: string }[])[0]?.model
    }
    assert.equal(await goesTo(), 'named')
    dataOf(await platform.admin.delete(`/admin/ai/models/${id}?force=true`))
    assert.equal(await goesTo(), 'chat-long', 'who still asks for it gets what a route falls back to')
  })
})
