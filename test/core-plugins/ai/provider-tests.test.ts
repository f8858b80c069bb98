import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { Api, Body } from '../../support/api.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../support/fake-upstream/start.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

interface Result {
  readonly ok: boolean
  readonly level: string
  readonly cost: string
  readonly models: readonly string[]
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

describe('the test of an AI provider', () => {
  let upstream: FakeUpstream
  let platform: Platform
  let lane: Lane
  let path: string
  let made = 0
  before(async () => {
    upstream = await startFakeUpstream()
    const env = { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${upstream.port},localhost:${upstream.port}` }
    platform = await startPlatform({ env })
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    made += 1
    lane = upstream.lane(`lane${made}`)
    path = `/admin/ai/providers/${await makeProvider(platform.admin)}/test`
  })

  const db = (): Knex => platform.host.kernel.database.knex
  async function makeProvider(by: Api, more: object = {}): Promise<string> {
    const vendor = { code: `vendor${made}`, name: 'Vendor', type: 'openai_compatible', base_url: lane.v1 }
    const wish = { ...vendor, credentials: { api_key: 'sk-right' }, ...more }
    return dataOf(await by.post('/admin/ai/providers', wish), 201)['id'] as unknown as string
  }
  const test = async (wish: object = {}): Promise<Result> =>
    dataOf(await platform.admin.post(path, wish)) as unknown as Result
  const shown = ({ checks }: Result): unknown => checks.map(({ name, ok }) => `${name} ${ok ? 'ok' : 'fails'}`)
  const rules = ({ body }: { body: Body }): unknown =>
    (body['errors'] as unknown as { field: string; rule: string }[]).map(({ field, rule }) => `${field} ${rule}`)

  it('asks for the models, which costs nothing, unless more is wanted', async () => {
    const result = await test()
    assert.deepEqual([result.ok, result.level, result.cost], [true, 'models', '0'])
    assert.deepEqual(shown(result), ['dns ok', 'tcp ok', 'auth ok', 'models ok'])
    assert.ok(result.models.length > 0)
    assert.deepEqual(await lane.seen(), [])
    assert.ok((await lane.checks()).length > 0)
    assert.deepEqual(shown(await test({ level: 'reach' })), ['dns ok', 'tcp ok'])
  })

  it('goes through chat, stream and tools, and says what a stream lacks', async () => {
    const whole = await test({ level: 'tools', model: 'gpt-test' })
    assert.deepEqual(
      [whole.ok, shown(whole)],
      [
        true,
        [
          ...[
            'dns ok',
            'tcp ok',
            'auth ok',
            'models ok',
            'chat ok',
            'stream ok',
            'stream_usage ok',
            'finish_reason ok',
          ],
          'tools ok',
        ],
      ],
    )
    await lane.behave({ usage: 'none' })
    const silent = await test({ level: 'stream', model: 'gpt-test' })
    assert.deepEqual([silent.ok, silent.level], [false, 'stream'])
    assert.deepEqual(silent.checks.find(({ ok }) => !ok)?.name, 'stream_usage')
    assert.deepEqual(rules(await platform.admin.post(path, { level: 'chat' })), ['model required'])
  })

  it('charges what it costs as any other call, for the purpose of a test', async () => {
    const [, , , , provider = ''] = path.split('/')
    const model = { name: `m${made}`, kind: 'chat', provider_id: provider, upstream_model: 'gpt-test' }
    dataOf(await platform.admin.post('/admin/ai/models', { ...model, price: { input: '1000', output: '2000' } }), 201)
    const { cost } = await test({ level: 'stream', model: 'gpt-test' })
    assert.ok(Number(cost) > 0)
    const rows = () =>
      db()('ai_usage').queryContext({ tenant: 'all' }).where({ provider_id: provider, purpose: 'test' })
    await until(async () => (await rows()).length === 2)
    await lane.behave({ usage: 'much' })
    // Two calls of 400 tokens in and 512 out at the most.
    const greedy = Number((await test({ level: 'stream', model: 'gpt-test' })).cost)
    assert.ok(greedy > 0 && greedy <= 2 * (0.4 + 1.024) + 1e-6, String(greedy))
  })

  it('asks with what is not saved yet, and keeps nothing of it', async () => {
    const before = '/admin/ai/providers/test'
    const { total } = dataOf(await platform.admin.get('/admin/ai/providers'))
    const wire = { type: 'openai_compatible', base_url: lane.v1 }
    const ask = async (more: object, provider: object) =>
      dataOf(await platform.admin.post(before, { ...more, provider })) as unknown as Result
    const found = await ask({ level: 'chat', model: 'gpt-test' }, { ...wire, credentials: { api_key: 'sk-right' } })
    assert.deepEqual([found.ok, shown(found)], [true, ['dns ok', 'tcp ok', 'auth ok', 'models ok', 'chat ok']])
    await lane.behave({ trouble: { kind: 'status', status: 401 } })
    const refused = await ask({}, { ...wire, credentials: { api_key: 'sk-wrong' } })
    assert.deepEqual([refused.ok, shown(refused)], [false, ['dns ok', 'tcp ok', 'auth fails']])
    assert.doesNotMatch(JSON.stringify(refused), /sk-wrong/)
    assert.equal((await ask({}, { type: 'demo' })).ok, true)
    assert.equal(dataOf(await platform.admin.get('/admin/ai/providers'))['total'], total)
    const rows = () => db()('ai_usage').queryContext({ tenant: 'all' }).where({ provider_id: 'unsaved' })
    await until(async () => (await rows()).length === 1)

    const inside = { ...wire, base_url: 'http://169.254.169.254/v1' }
    const faults = await Promise.all(
      [inside, { type: 'openai_compatible' }, { type: 'plugin', plugin: { name: 'acme.none', provider: 'none' } }].map(
        async (provider) => rules(await platform.admin.post(before, { provider })),
      ),
    )
    assert.match(JSON.stringify(faults[0]), /provider\.base_url/)
    assert.deepEqual(faults.slice(1), [
      ['provider.base_url required'],
      ['provider.base_url required', 'provider.plugin plugin_provider'],
    ])
    assert.deepEqual(rules(await platform.admin.post(before, { level: 'chat', provider: { type: 'demo' } })), [
      'model required',
    ])
    const { owner } = await createTenant(platform.admin, `tester${made}`)
    const others = { provider: { type: 'demo', tenant_id: 1_000_000 } }
    assert.ok((await owner.post(before, others)).status >= 400)
    assert.equal((dataOf(await owner.post(before, { provider: { type: 'demo' } })) as unknown as Result).ok, true)
  })

  it('stops at what fails, and says it in the vendor’s words', async () => {
    await lane.behave({ trouble: { kind: 'status', status: 401 } })
    const refused = await test({ level: 'chat', model: 'gpt-test' })
    assert.deepEqual([refused.ok, refused.level, shown(refused)], [false, 'models', ['dns ok', 'tcp ok', 'auth fails']])
    assert.doesNotMatch(JSON.stringify(refused), /sk-right/)
    // What the vendor says holds the secret, which it may repeat.
    await lane.behave({ trouble: { kind: 'status', status: 400 } })
    const repeated = await test({ draft: { credentials: { api_key: 'fault' } } })
    assert.deepEqual(repeated.checks.at(-1)?.detail, 'fake … 400')
    await lane.behave({ trouble: { kind: 'cut', after: 1 } })
    const cut = await test({ level: 'reach' })
    assert.equal(cut.level, 'reach')
  })

  it('tries what is not saved, and sends a saved secret nowhere else', async () => {
    const other = upstream.lane(`other${made}`)
    const draft = { base_url: other.v1 }
    assert.deepEqual(rules(await platform.admin.post(path, { draft })), ['draft.credentials.api_key secret_again'])
    const given = await test({ draft: { ...draft, credentials: { api_key: 'sk-other' } } })
    assert.equal(given.ok, true)
    const sent = await other.checks()
    assert.match(JSON.stringify(sent.map(({ headers }) => headers)), /sk-other/)
    assert.doesNotMatch(JSON.stringify([sent, await lane.checks()]), /sk-right/)
    assert.deepEqual(await other.seen(), [])
    const metadata = { base_url: 'http://169.254.169.254/v1', credentials: { api_key: 'x' } }
    assert.deepEqual(rules(await platform.admin.post(path, { draft: metadata })), ['draft.base_url address_forbidden'])
  })

  it('is for whoever may test, of providers of their own', async () => {
    const acme = await createTenant(platform.admin, 'acme')
    assert.equal(refusalOf(await acme.owner.post(path, {})).reason, 'provider_not_found')
  })
})
