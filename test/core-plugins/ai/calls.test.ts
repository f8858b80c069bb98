// @both-back-ends
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { aiGateway, type AiCall, type AiGateway } from '../../../core-plugins/ai/contract.ts'
import type { AppError } from '../../../kernel/errors.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../support/fake-upstream/start.ts'
import { until } from '../../support/until.ts'
import { bucketsOf, sumsOf } from '../ai-ledger/world.ts'

const failover = '/admin/ai/gateway/failover'
/** What is held for a call below: 31 bytes in for a micro-unit each, 20 tokens out for two. */
const worst = 31_000 + 20 * 2_000 + 2

describe('Calls of AI models', () => {
  let upstream: FakeUpstream
  let platform: Platform
  let lane: Lane
  let gateway: AiGateway
  let provider: string

  before(async () => {
    upstream = await startFakeUpstream()
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` } })
    gateway = platform.host.kernel.services.get(aiGateway)
    lane = upstream.lane('only')
    const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: lane.v1 }
    const made = await platform.admin.post('/admin/ai/providers', {
      ...vendor,
      credentials: { api_key: 'sk-test-1234' },
    })
    provider = dataOf(made, 201)['id'] as unknown as string
    const model = {
      name: 'fast',
      kind: 'chat',
      provider_id: provider,
      upstream_model: 'up',
      price: { input: '1', output: '2' },
    }
    dataOf(await platform.admin.post('/admin/ai/models', model), 201)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(() => lane.behave({}))

  const db = (): Knex => platform.host.kernel.database.knex
  const callOf = (tenantId: number, more: Partial<AiCall> = {}, stream = false): AiCall => ({
    ...{ spender: { tenantId }, purpose: 'chat', signal: new AbortController().signal, traceId: 't' },
    request: {
      ...{ model: 'fast', messages: [{ role: 'user', parts: [{ type: 'text', text: 'one two three 4' }] }] },
      ...{ maxOutputTokens: 20, stream, includeUsage: true, extra: {} },
    },
    ...more,
  })
  const codeOf = async (work: Promise<unknown>): Promise<number> =>
    work.then(
      () => 0,
      ({ code }: AppError) => code,
    )
  async function tenantWith(code: string, amount: number): Promise<number> {
    const { id } = await createTenant(platform.admin, code)
    await db()('ai_quotas')
      .queryContext({ tenant: 'all' })
      .insert({
        ...{ id: `qta_${code}`, tenant_id: id, name: code, metric: 'cost', mode: 'hard', estimate: 'strict' },
        ...{ status: 'active', is_platforms: true, on_exceed: JSON.stringify({ action: 'reject' }) },
        ...{ amount: String(amount), span: JSON.stringify({ kind: 'total' }), per: [], warn_at: [] },
      })
    // Known once a call that never fits is refused.
    const large = callOf(id)
    const tooMuch = { ...large, request: { ...large.request, maxOutputTokens: 1_000_000_000 } }
    await until(async () => (await codeOf(gateway.run(tooMuch))) === 4296)
    return id
  }
  const settled = (): Promise<void> =>
    until(async () => {
      const [row] = await db()('ai_holds').queryContext({ tenant: 'all' }).count<{ count: string }[]>('* as count')
      return row?.count === '0'
    })

  it('against a budget for exactly 37 are 37 of 200 at once, and nothing is held in the end', async () => {
    const tenantId = await tenantWith('exact', 37 * worst)
    await lane.behave({ headMs: 3_000 })
    const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf(gateway.run(callOf(tenantId)))))
    assert.deepEqual(
      [codes.filter((code) => code === 0).length, codes.filter((code) => code === 4296).length],
      [37, 163],
    )
    await settled()
    const [bucket] = (await bucketsOf(db())).filter(({ quota_id: id }) => id === 'qta_exact')
    const { cost } = await sumsOf(db())
    assert.deepEqual([bucket?.held, bucket?.used], [0, cost])
    const stats = async () => dataOf(await platform.admin.get('/admin/ai/gateway/stats?group_by=tenant'))
    await until(async () => {
      const items = (await stats())['items'] as unknown as { tenant: string; requests: number; success_rate: number }[]
      return items.some(({ tenant, requests }) => tenant === String(tenantId) && requests >= 200)
    })
    const { rejected } = (await stats())['totals'] as unknown as { rejected: { quota: number } }
    assert.ok(rejected.quota >= 163)
    assert.deepEqual(Object.keys(rejected).toSorted(), ['quota', 'rate'])
  })

  it('that ask for more than any model writes are held for, and no more than the database can count', async () => {
    const tenantId = await tenantWith('endless', 37 * worst)
    const { request, ...rest } = callOf(tenantId)
    const endless = { ...rest, request: { ...request, maxOutputTokens: Number.MAX_SAFE_INTEGER } }
    assert.equal(await codeOf(gateway.run(endless)), 4296)
  })

  it('never spend more than the budget, whoever hangs up and whatever fails', async () => {
    const limit = 60 * worst
    const tenantId = await tenantWith('storm', limit)
    for (const trouble of [
      { kind: 'cut', after: 2 },
      { kind: 'status', status: 500 },
      { kind: 'end', after: 1 },
      undefined,
    ] as const) {
      await lane.behave({ pieceMs: 5, words: 18, usage: 'wrong', ...(trouble && { trouble, times: 20 }) })
      await Promise.all(
        Array.from({ length: 60 }, async (_, at) => {
          const control = new AbortController()
          const work = gateway.run(callOf(tenantId, { signal: control.signal }, at % 2 === 0)).then(async (run) => {
            for await (const event of run.events) if (event.type === 'finish') return
          })
          if (at % 5 === 0) void sleep(at).then(() => control.abort())
          // The steps of an answer that nobody waits for any more need not end.
          const gone = new Promise((resolve) => void control.signal.addEventListener('abort', resolve, { once: true }))
          await Promise.race([work.catch(() => undefined), gone])
        }),
      )
      dataOf(await platform.admin.post(failover, { action: 'reset', target: { provider_id: provider } }))
    }
    await settled()
    const [bucket] = (await bucketsOf(db())).filter(({ quota_id: id }) => id === 'qta_storm')
    assert.ok(bucket && bucket.held === 0 && bucket.used > 0 && bucket.used <= limit, JSON.stringify(bucket))
    await until(async () => {
      const { items } = dataOf(await platform.admin.get('/admin/ai/gateway/stats')) as unknown as {
        items: readonly { readonly errors: Readonly<Record<string, number>> }[]
      }
      return items.some(({ errors }) => (errors['5xx'] ?? 0) > 0) && items.every(({ errors }) => !('server' in errors))
    })
  })

  it('do not go to what an administrator took out of use, who sees where they would go', async () => {
    const { id, owner } = await createTenant(platform.admin, 'plain')
    const trip = { action: 'trip', target: { provider_id: provider }, duration_s: 60, reason: 'incident' }
    const last = await platform.admin.post(failover, trip)
    assert.deepEqual(refusalOf(last), { status: 409, code: 4095, reason: 'would_leave_no_target' })
    const done = dataOf(await platform.admin.post(failover, { ...trip, force: true }))
    assert.deepEqual([done['affected'], done['state']], [['fast'], { fast: 'open' }])
    assert.equal(await codeOf(gateway.run(callOf(id))), 5034)
    const wish = { action: 'simulate', request: { model: 'fast', tenant_id: id, input_tokens: 900 } }
    const shown = dataOf(await platform.admin.post(failover, wish))
    assert.deepEqual(
      [shown['order'], (shown['rejected'] as unknown as { because: string }[])[0]?.because],
      [[], "the provider's breaker tripped: incident"],
    )
    assert.equal((await owner.post(failover, { ...trip, force: true })).status, 404)
    dataOf(await platform.admin.post(failover, { action: 'reset', target: { provider_id: provider } }))
    assert.equal(await codeOf(gateway.run(callOf(id))), 0)
    assert.equal((await platform.admin.post(failover, { action: 'trip' })).status, 422)
  })

  it('are refused where AI is switched off', async () => {
    const { id, owner } = await createTenant(platform.admin, 'off')
    dataOf(await owner.put('/tenant/configs/groups/tenant_feature', { ai_access: false }))
    assert.equal(await codeOf(gateway.run(callOf(id))), 4036)
    assert.deepEqual(
      gateway.models(id).map(({ name }) => name),
      ['fast'],
    )
    assert.equal(await codeOf(gateway.run({ ...callOf(0), request: { ...callOf(0).request, model: 'none' } })), 4048)
  })

  it('come from clients with a key, end at the provider when these hang up, and never end as if they were whole', async () => {
    const { owner } = await createTenant(platform.admin, 'door')
    const made = dataOf(await owner.post('/admin/ai/api-keys', { name: 'door', scopes: ['chat'] }), 201)
    const key = made['key'] as unknown as string
    const ask = (signal: AbortSignal | null = null): Promise<Response> =>
      fetch(`${platform.host.url}/v1/chat/completions`, {
        ...{ method: 'POST', signal, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
        body: JSON.stringify({ model: 'fast', stream: true, messages: [{ role: 'user', content: 'one two three' }] }),
      })
    const answer = await ask()
    const text = await answer.text()
    assert.deepEqual([answer.status, answer.headers.get('x-ai-model')], [200, 'fast'], text)
    assert.ok(text.endsWith('data: [DONE]\n\n') && text.includes('"finish_reason":"stop"'), text)
    await lane.behave({ trouble: { kind: 'cut', after: 2 } })
    const broken = await (await ask()).text()
    assert.ok(broken.includes('upstream_stream_interrupted') && broken.endsWith('data: [DONE]\n\n'), broken)
    assert.ok(!broken.includes('"finish_reason":"stop"'), broken)
    await lane.behave({ pieceMs: 20, words: 90 })
    const before = (await lane.seen()).length
    const left = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const control = new AbortController()
        const reader = (await ask(control.signal)).body?.getReader()
        await reader?.read()
        control.abort()
        return Date.now()
      }),
    )
    const requests = await lane.seenUntil((all) => all.slice(before).every(({ hungUpAt }) => hungUpAt !== undefined))
    const late = Math.max(...requests.slice(before).map(({ hungUpAt }) => hungUpAt ?? 0)) - Math.max(...left)
    assert.ok(requests.length === before + 10 && late < 1_000, `${String(late)} ms`)
  })
})
