import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { startFakeUpstream, type FakeUpstream } from '../../support/fake-upstream/start.ts'
import { until } from '../../support/until.ts'

type Plain = Readonly<Record<string, unknown>>
interface Costs {
  readonly total: Plain
  readonly items: readonly { readonly group: Plain; readonly amount: string; readonly requests: number }[]
  readonly reconciliation: Plain
}

describe('what AI calls cost, by tag and with a markup', () => {
  let upstream: FakeUpstream
  let platform: Platform
  let admin: Api
  const markups = '/admin/ai/gateway/markups'

  before(async () => {
    upstream = await startFakeUpstream()
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` } })
    admin = platform.admin
    await addModel(admin, 'fast')
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  /** A model at a provider of its own: a micro-unit a token in and two out. */
  async function addModel(by: Api, name: string, price: object = { input: '1', output: '2' }): Promise<void> {
    const wire = {
      type: 'openai_compatible',
      base_url: upstream.lane(name).v1,
      credentials: { api_key: 'sk-test-1234' },
    }
    const provider = dataOf(await by.post('/admin/ai/providers', { code: name, name, ...wire }), 201)
    const about = { kind: 'chat', provider_id: provider['id'], upstream_model: 'up' }
    dataOf(await by.post('/admin/ai/models', { name, ...about, price }), 201)
  }
  async function tenantOf(code: string, metadata: object = {}) {
    const { id, owner } = await createTenant(admin, code)
    const { key } = dataOf(await owner.post('/admin/ai/api-keys', { name: code, metadata }), 201)
    const say = async (body: object, headers: Record<string, string> = {}): Promise<number> => {
      const messages = [{ role: 'user', content: 'one two three' }]
      const { status } = await fetch(`${platform.host.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${textOf(key)}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'fast', messages, max_tokens: 20, ...body }),
      })
      return status
    }
    const costs = async (query: string) => dataOf(await owner.get(`/admin/ai/usage/costs?${query}`)) as unknown as Costs
    const rows = async (query = '') => {
      const { items } = dataOf(await owner.get(`/admin/ai/usage?${query}`)) as unknown as { items: readonly Plain[] }
      return items
    }
    return { id, owner, say, costs, rows }
  }

  it('count for each tag of the key, the body and the header, and once in all', async () => {
    const { say, costs, rows } = await tenantOf('tagged', { team: 'blue', note: 'x'.repeat(200) })
    assert.equal(await say({ metadata: { project: 'moon', team: 'red', conversation_id: 'c1' } }), 200)
    assert.equal(await say({ metadata: { tags: 'night, night' } }, { 'x-ai-tags': 'moonlight,team:red' }), 200)
    assert.equal(await say({}), 200)
    await until(async () => (await rows()).length === 3)
    const sets = (await rows()).map(({ tags }) => tags).toSorted()
    assert.deepEqual(sets, [['team:blue'], ['team:blue', 'moonlight', 'night'], ['team:blue', 'project:moon']])
    const { total, items, reconciliation } = await costs('group_by=tag')
    assert.deepEqual(Object.fromEntries(items.map(({ group, requests }) => [group['tag'], requests])), {
      'team:blue': 3,
      'project:moon': 1,
      moonlight: 1,
      night: 1,
    })
    const blue = items.find(({ group }) => group['tag'] === 'team:blue')
    assert.deepEqual([blue?.amount, reconciliation['equal']], [total['amount'], true])
    // Also where sums are not kept that finely, and of some calls alone.
    const fine = await costs('group_by=tag,key&tag=night')
    assert.deepEqual([fine.items.length, fine.items[0]?.requests, fine.reconciliation['equal']], [1, 1, true])
    assert.equal((await rows('tag=project:moon')).length, 1)
  })

  it('of a tenant with a markup differ from the list, in holds and budgets, too', async () => {
    const { id, owner, say, costs, rows } = await tenantOf('dear')
    assert.deepEqual(refusalOf(await admin.put(`${markups}/999999`, { factor: '2' })).code, 4229)
    assert.equal((await owner.get(markups)).status, 403)
    assert.equal(dataOf(await admin.put(`${markups}/${String(id)}`, { factor: '1.333333' }))['factor'], '1.333333')
    assert.equal(await say({}), 200)
    await until(async () => (await rows()).length === 1)
    const [row] = await rows()
    const nano = (text: unknown): bigint => BigInt(Number(textOf(text)) * 1e9)
    assert.equal(nano(row?.['cost']), (nano(row?.['list_cost']) * 1_333_333n + 999_999n) / 1_000_000n)
    assert.notEqual(row?.['cost'], row?.['list_cost'])
    const { total } = await costs('')
    assert.deepEqual([total['amount'], total['list_amount']], [row?.['cost'], row?.['list_cost']])
    // Of a budget for the list price of the worst case nothing is given out; what is paid by the tenant itself has no markup.
    const held = 2 * 13 * 1e-6 + 20 * 2e-6
    const quota = { name: 'small', tenant_id: id, metric: 'cost', limit: held.toFixed(9) }
    const set = dataOf(await admin.post('/admin/ai/quotas', quota), 201)
    dataOf(await admin.put(`${markups}/${String(id)}`, { factor: '5' }))
    assert.equal(await say({}), 429)
    dataOf(await admin.put(`/admin/ai/quotas/${textOf(set['id'])}`, { status: 'disabled' }))
    await addModel(owner, 'own')
    assert.equal(await say({ model: 'own' }), 200)
    await until(async () => (await rows('model=own')).length === 1)
    const [own] = await rows('model=own')
    assert.equal(own?.['cost'], own?.['list_cost'])
    const { items } = dataOf(await admin.get(markups)) as unknown as { items: readonly Plain[] }
    assert.deepEqual(
      items.map(({ tenant_id: tenant, factor }) => [tenant, factor]),
      [[id, '5']],
    )
    dataOf(await admin.delete(`${markups}/${String(id)}`))
    assert.equal((await admin.delete(`${markups}/${String(id)}`)).status, 404)
    const log = dataOf(await admin.get('/admin/audit-logs?action=ai_markup.updated')) as unknown as {
      readonly items: readonly { readonly target: string; readonly before: unknown; readonly after: unknown }[]
    }
    const factors = [null, '1.333333', '5', null].map((factor) => ({ factor }))
    assert.deepEqual(
      log.items.map(({ target, before, after }) => [target, before, after]).reverse(),
      [0, 1, 2].map((at) => [`ai_markup:${String(id)}`, factors[at], factors[at + 1]]),
    )
    assert.equal(await say({}), 200)
    await until(async () => (await rows('model=fast')).length === 2)
    const [last] = await rows('model=fast')
    assert.equal(last?.['cost'], last?.['list_cost'])
  })

  it('are kept down by a fallback of a route, of which administrators are told once', async () => {
    await addModel(admin, 'free', { input: '0', output: '0' })
    const targets = [{ id: 'first', model: 'fast', weight: 80 }]
    const fallbacks = [{ on: ['budget_exceeded'], model: 'free', notify: true }]
    const route = { name: 'thrifty', match: { models: ['fast'] }, targets, fallbacks }
    dataOf(await admin.post('/admin/ai/gateway/routes', route), 201)
    const { id, owner, say, rows } = await tenantOf('thrifty')
    assert.equal(await say({}), 200)
    const quota = { name: 'nothing', tenant_id: id, metric: 'cost', limit: '0.000000010' }
    dataOf(await admin.post('/admin/ai/quotas', quota), 201)
    for (let call = 0; call < 2; call++) assert.equal(await say({}), 200)
    await until(async () => (await rows('model=free')).length === 2)
    const told = async () => {
      const { items } = dataOf(await owner.get('/notifications')) as unknown as { items: readonly { title: string }[] }
      return items.filter(({ title }) => title.includes('thrifty'))
    }
    await until(async () => (await told()).length > 0)
    assert.deepEqual(
      (await told()).map(({ title }) => title),
      ['Calls by the AI route thrifty are answered by free instead: budget_exceeded'],
    )
    const weights = async () => {
      const { items } = dataOf(await owner.get('/admin/ai/gateway/stats?group_by=target')) as unknown as {
        readonly items: readonly Plain[]
      }
      return items.find(({ target }) => target === 'first')
    }
    await until(async () => (await weights()) !== undefined)
    const { weight, effective_weight: effective } = (await weights()) ?? {}
    assert.deepEqual([weight, effective], [80, 80])
  })
})
