// @both-back-ends
import assert from 'node:assert/strict'
import type { Api, Body } from '../../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf } from '../../../support/platform.ts'
import { until } from '../../../support/until.ts'
import type { Lane } from '../../../support/fake-upstream/start.ts'
import { healthWorld, itemsOf, type HealthWorld } from './world.ts'

const path = '/admin/ai/health'
type Lists = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

describe('the health of AI', () => {
  let world: HealthWorld
  let owner: Api
  let tenantId: number
  before(async () => {
    world = await healthWorld()
    const breaker = { open_s: 600, open_max_s: 600 }
    dataOf(await world.admin.put('/admin/ai/gateway', { breaker }))
    // One that is well, whatever becomes of the others.
    await world.provide()
    ;({ owner, id: tenantId } = await createTenant(world.admin, 'acme'))
  })
  after(() => world[Symbol.asyncDispose]())

  const overview = async (by: Api = world.admin): Promise<Body> => dataOf(await by.get(path))
  const listed = (list: Body, id: string) =>
    (list as unknown as readonly Readonly<Record<string, unknown>>[]).find((each) => each['id'] === id)
  const logsOf = (query: string, by: Api = world.admin) => itemsOf(by, `${path}/logs?${query}`)

  it('shows how calls went, with each provider, each model and in all', async () => {
    const { lane, name, provider, model } = await world.provide()
    for (let call = 0; call < 3; call++) assert.equal(await world.ask(name), 'ok')
    await lane.behave({ trouble: { kind: 'status', status: 503 } })
    // Three attempts, then the last two until the breaker opens.
    for (let call = 0; call < 2; call++) assert.equal(await world.ask(name), 'upstream_error')
    const health = async (): Promise<Body> =>
      dataOf(await world.admin.get(`/admin/ai/providers/${provider}`))['health'] as Body
    await until(async () => Number((await health())['success_rate_5m']) === 0.375)
    const { breaker, last_error: lastError, score, state } = await health()
    assert.deepEqual(
      [state, breaker?.['target'], breaker?.['kind'], lastError?.['class'], lastError?.['status']],
      ['open', `up-${name}`, 'failures', 'server', 503],
    )
    assert.ok(Number(score) < 0.5)
    const shown = dataOf(await world.admin.get(`/admin/ai/models/${model}`))['health']
    assert.deepEqual(shown, { state: 'open', success_rate_5m: 0.375, ttft_p50_ms: null })
    const whole = await overview()
    assert.equal(whole['status'], 'degraded')
    assert.equal(listed(whole['providers'] as Body, provider)?.['state'], 'open')
    assert.deepEqual(listed(whole['routes'] as Body, model), { id: model, name, healthy_targets: 0, total: 1 })
    assert.ok(whole['ledger'] && whole['sandbox'])
    await lane.behave({})
    dataOf(await world.admin.post('/admin/ai/gateway/failover', { action: 'reset', target: { provider_id: provider } }))
    assert.equal(await world.ask(name), 'ok')
  })

  it('logs each request with its attempts, and nothing that was said', async () => {
    const { lane, name, provider } = await world.provide()
    const more = { spender: { tenantId, userId: 7 }, traceId: 'trace-of-one' }
    assert.equal(await world.ask(name, more), 'ok')
    await lane.behave({ trouble: { kind: 'status', status: 401 } })
    assert.equal(await world.ask(name, more), 'upstream_auth_failed')
    assert.equal(await world.ask('no-such-model', more), 'model_not_found')
    await until(async () => (await logsOf('trace_id=trace-of-one')).length === 3)
    const [missing, failed, good] = await logsOf('trace_id=trace-of-one')
    assert.deepEqual(
      [missing, failed, good].map((row) => [row?.['outcome'], row?.['level'], row?.['tenant_id'], row?.['user_id']]),
      [
        ['model_not_found', 'warn', tenantId, 7],
        ['upstream_auth_failed', 'error', tenantId, 7],
        ['ok', 'info', tenantId, 7],
      ],
    )
    const [attempt] = failed?.['attempts'] as unknown as readonly Body[]
    assert.deepEqual([attempt?.['provider_id'], attempt?.['status'], attempt?.['class']], [provider, 401, 'auth'])
    const [answered] = good?.['attempts'] as unknown as readonly Body[]
    assert.deepEqual([answered?.['status'], answered?.['class']], [200, 'ok'])
    assert.ok(Number(good?.['usage']?.['input_tokens']) > 0 && Number(good?.['cost']) > 0)
    const rows: unknown = await world.db()('ai_request_log').queryContext({ tenant: 'all' })
    assert.doesNotMatch(JSON.stringify(rows), /secret question|sk-right/)
    for (const filter of ['level=error', 'outcome=upstream_auth_failed', `provider_id=${provider}&level=error`]) {
      assert.deepEqual(
        (await logsOf(`trace_id=trace-of-one&${filter}`)).map(({ id }) => id),
        [failed?.['id']],
        filter,
      )
    }
    assert.equal((await logsOf(`tenant_id=${String(tenantId)}&trace_id=trace-of-one`)).length, 3)
    const page = dataOf(await world.admin.get(`${path}/logs?trace_id=trace-of-one&limit=2`))
    const rest = await logsOf(`trace_id=trace-of-one&cursor=${page['next_cursor'] as unknown as string}`)
    assert.deepEqual([page['has_more'], rest.map(({ id }) => id)], [true, [good?.['id']]])
    assert.equal(refusalOf(await world.admin.get(`${path}/logs?cursor=none`)).code, 4221)
  })

  it('has no attempt of what was never sent', async () => {
    const { name, lane, provider } = await world.provide(world.admin, 'anthropic')
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x' }] }]
    const request = { model: name, messages, maxOutputTokens: 20, stream: false, includeUsage: true, extra: {} }
    const traceId = 'trace-of-unsent'
    assert.equal(await world.ask(name, { traceId, request: { ...request, logprobs: true } }), 'cannot_carry')
    await until(async () => (await logsOf(`trace_id=${traceId}`)).length === 1)
    const [row] = await logsOf(`trace_id=${traceId}`)
    assert.deepEqual([row?.['outcome'], row?.['attempts']], ['cannot_carry', []])
    assert.deepEqual(await lane.seen(), [])
    const shown = dataOf(await world.admin.get(`/admin/ai/providers/${provider}`))['health']
    assert.equal(shown?.['success_rate_5m'], null)
  })

  it('is asked for where no request showed it, at no cost and not again within minutes', async () => {
    const quiet = await world.provide()
    const used = await world.provide()
    const refused = await world.provide()
    await refused.lane.behave({ trouble: { kind: 'status', status: 401 } })
    assert.equal(await world.ask(used.name), 'ok')
    const figures = () =>
      world
        .db()('ai_gateway_figures')
        .queryContext({ tenant: 'all' })
        .where({ target: used.name })
        .first<Body | undefined>()
    await until(async () => (await figures()) !== undefined)
    await world.turn('ai.check')
    await world.turn('ai.check')
    const asked = async ({ lane }: typeof quiet) => [(await lane.checks()).length, (await lane.seen()).length]
    assert.deepEqual(
      [await asked(quiet), await asked(used), await asked(refused)],
      [
        [1, 0],
        [0, 1],
        [1, 0],
      ],
    )
    const checks = async ({ provider }: typeof quiet, more = '') =>
      (await itemsOf(world.admin, `${path}/checks?provider_id=${provider}${more}`)).map(
        ({ kind, ok, class: kindOf, cost, target }) => ({ kind, ok, class: kindOf, cost, target }),
      )
    const nothing = { cost: '0', target: null }
    assert.deepEqual(await checks(quiet), [{ kind: 'models', ok: true, class: null, ...nothing }])
    assert.deepEqual(await checks(used), [
      { kind: 'passive', ok: true, class: null, cost: '0', target: `up-${used.name}` },
    ])
    assert.deepEqual(await checks(refused, '&ok=false'), [{ kind: 'models', ok: false, class: 'auth', ...nothing }])
    assert.deepEqual(await checks(refused, '&kind=chat'), [])
    const health = async () => dataOf(await world.admin.get(`/admin/ai/providers/${refused.provider}`))['health']
    assert.equal((await health())?.['state'], 'auth_failed')
    assert.equal(await world.ask(refused.name), 'no_healthy_target')
  })

  it('is asked for at a few providers of each tenant in a turn, the rest of them later', async () => {
    const { owner } = await createTenant(world.admin, 'many')
    const mine: { readonly lane: Lane }[] = []
    for (let at = 0; at < 10; at++) mine.push(await world.provide(owner))
    const asked = async () => (await Promise.all(mine.map(({ lane }) => lane.checks()))).map(({ length }) => length)
    await world.turn('ai.check')
    assert.equal((await asked()).filter((calls) => calls > 0).length, 8)
    await world.turn('ai.check')
    assert.deepEqual(new Set(await asked()), new Set([1]))
  })

  it('has the tests among its checks that somebody asked for', async () => {
    const { provider, name } = await world.provide()
    const test = { level: 'chat', model: `up-${name}` }
    dataOf(await world.admin.post(`/admin/ai/providers/${provider}/test`, test))
    const [check] = await itemsOf(world.admin, `${path}/checks?provider_id=${provider}`)
    assert.deepEqual([check?.['kind'], check?.['level'], check?.['ok']], ['chat', 'chat', true])
    assert.ok(Number(check?.['cost']) > 0)
  })

  it('is figures, also for Prometheus', async () => {
    const { provider, name, lane } = await world.provide()
    assert.equal(await world.ask(name), 'ok')
    const metrics = async (): Promise<Body> => dataOf(await world.admin.get(`${path}/metrics`))
    const requests = async () =>
      ((await metrics())['requests'] as unknown as readonly Record<string, unknown>[]).filter(
        (row) => row['provider_id'] === provider,
      )
    await until(async () => (await requests()).length > 0)
    assert.deepEqual(await requests(), [{ provider_id: provider, model: name, outcome: 'ok', count: 1 }])
    // A refusal of the provider has no row in the ledger, and is of the same model all the same.
    await lane.behave({ trouble: { kind: 'status', status: 400 } })
    assert.equal(await world.ask(name), 'request_refused')
    await until(async () => (await requests()).length > 1)
    assert.deepEqual(
      (await requests()).map(({ model, outcome }) => [model, outcome]),
      [
        [name, 'bad_request'],
        [name, 'ok'],
      ],
    )
    const answer = await fetch(new URL(`${path}/metrics`, world.admin.url), {
      headers: { authorization: `Bearer ${String(world.admin.token)}`, accept: 'text/plain' },
    })
    const text = await answer.text()
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    assert.ok(text.includes(`ai_requests_total{provider="${provider}",model="${name}",outcome="ok"} 1`), text)
    assert.match(text, new RegExp(`ai_breaker_state\\{provider="${provider}",model="up-${name}"\\} 0`))
    assert.match(text, /ai_retry_budget_ratio 0/)
  })

  it('is for a tenant that of its own', async () => {
    const own = await world.provide(owner)
    const others = await world.provide()
    assert.equal(await world.ask(own.name, { spender: { tenantId }, traceId: 'trace-of-two' }), 'ok')
    assert.equal(await world.ask(others.name, { traceId: 'trace-of-two' }), 'ok')
    await until(async () => (await logsOf('trace_id=trace-of-two')).length === 2)
    assert.equal((await logsOf('trace_id=trace-of-two', owner)).length, 1)
    assert.deepEqual(await logsOf('tenant_id=0', owner), [])
    const { providers, ledger, sandbox } = await overview(owner)
    const ids = (providers as unknown as readonly Body[]).map(({ id }) => id as unknown as string)
    assert.deepEqual([ids.includes(own.provider), ids.includes(others.provider)], [true, false])
    assert.deepEqual([ledger, sandbox], [null, null])
    const quota = { name: 'theirs', metric: 'requests', limit: '1000000', window: { kind: 'total' } }
    dataOf(await world.admin.post('/admin/ai/quotas', quota), 201)
    const isSeen = async (by: Api) => {
      const { requests, quotas } = dataOf(await by.get(`${path}/metrics`)) as unknown as Lists
      const { items } = dataOf(await by.get('/admin/ai/gateway/stats?group_by=tenant')) as unknown as Lists
      return [
        requests?.some((row) => row['provider_id'] === others.provider),
        quotas?.some(({ name }) => name === 'theirs'),
        items?.some(({ tenant }) => tenant !== String(tenantId)),
      ]
    }
    await until(async () => (await isSeen(world.admin)).every(Boolean))
    assert.deepEqual(await isSeen(owner), [false, false, false])
    const clerk = await createUser(owner, 'acme', ['tenant_ai_health:read'])
    assert.equal((await clerk.get(path)).status, 200)
    for (const part of ['metrics', 'logs', 'alerts']) {
      assert.equal(refusalOf(await clerk.get(`${path}/${part}`)).status, 403, part)
    }
  })

  it('keeps its log for as long as the gateway says, in a table for each day', async () => {
    const { rows } = await world
      .db()
      .raw<{ rows: { name: string }[] }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ai_request_log'::regclass`,
      )
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    assert.ok(rows.some(({ name }) => name === `ai_request_log_p${today}`))
    const changed = dataOf(await world.admin.put('/admin/ai/gateway', { logging: { retention_days: 7 } }))
    assert.deepEqual(changed['logging'], { payloads: 'none', redact: true, retention_days: 7 })
    assert.equal((await world.admin.put('/admin/ai/gateway', { logging: { payloads: 'full' } })).status, 422)
  })
})
