// @both-back-ends
import assert from 'node:assert/strict'
import type { Api, Body } from '../../../support/api.ts'
import { createTenant, dataOf, refusalOf } from '../../../support/platform.ts'
import { until } from '../../../support/until.ts'
import { alertWorld, ruleOf, rulesPath as path } from './alert-world.ts'
import { itemsOf } from './world.ts'

describe('alerts of AI', () => {
  let world: Awaited<ReturnType<typeof alertWorld>>
  before(async () => void (world = await alertWorld()))
  after(() => world[Symbol.asyncDispose]())

  it('are raised once, told in every way that is wished, and end by themselves', async () => {
    const { provider } = await world.provide()
    const rule = await world.make({
      name: 'breaker of one',
      when: { metric: 'breaker_open', scope: { provider_id: provider } },
      notify: { ws: ['admin'], webhook: world.hookUrl, email: ['ops@example.test'] },
    })
    assert.deepEqual(
      [rule['when'], rule['notify']?.['webhook'], rule['cooldown_s'], rule['state']],
      [
        { metric: 'breaker_open', scope: { provider_id: provider }, op: '>', value: 0, for_s: 0 },
        `${new URL(world.hookUrl).origin}/…`,
        900,
        'ok',
      ],
    )
    await world.tripping('trip', provider)
    await world.turn('ai.alerts')
    await world.turn('ai.alerts')
    const alerts = async (): Promise<readonly Record<string, unknown>[]> =>
      (dataOf(await world.admin.get('/admin/ai/health'))['alerts'] as unknown as Record<string, unknown>[]).filter(
        ({ rule_id: id }) => id === rule['id'],
      )
    assert.deepEqual(
      (await alerts()).map(({ rule: name, metric, value }) => [name, metric, value]),
      [['breaker of one', 'breaker_open', 1]],
    )
    assert.equal((await world.find(rule['id']))['state'], 'firing')
    await world.settle('ai.alert_tell')
    assert.deepEqual(await world.toldOf('breaker of one'), ['AI alert: breaker of one'])
    assert.deepEqual(
      world.posted.map(({ event, rule: name }) => [event, name]),
      [['ai.alert.raised', 'breaker of one']],
    )
    await world.tripping('reset', provider)
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.deepEqual(await alerts(), [])
    assert.equal((await world.find(rule['id']))['state'], 'ok')
    assert.deepEqual((await world.toldOf('breaker of one')).toSorted(), [
      'AI alert is over: breaker of one',
      'AI alert: breaker of one',
    ])
    assert.equal(world.posted.at(-1)?.['event'], 'ai.alert.resolved')
    await until(() => world.raised.includes('breaker of one'))
    // It is wrong again before the rule may tell somebody anew.
    await world.tripping('trip', provider)
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.equal((await world.find(rule['id']))['state'], 'firing')
    assert.equal((await world.toldOf('breaker of one')).length, 2)
    await world.tripping('reset', provider)
    await world.turn('ai.alerts')
  })
  it('are not raised before they were wrong for long enough, and go with their rule', async () => {
    const { provider } = await world.provide()
    const when = { metric: 'breaker_open', scope: { provider_id: provider } }
    const slow = await world.make(ruleOf({ ...when, for_s: 3_600 }))
    const quick = await world.make(ruleOf(when))
    await world.tripping('trip', provider)
    await world.turn('ai.alerts')
    assert.deepEqual(
      [(await world.find(slow['id']))['state'], (await world.find(quick['id']))['state']],
      ['pending', 'firing'],
    )
    const firing = await itemsOf(world.admin, `${path}?state=firing&page_size=100`)
    assert.deepEqual(
      [slow, quick].map(({ id }) => firing.some((rule) => rule['id'] === id)),
      [false, true],
    )
    const before = world.posted.length
    for (const { id } of [slow, quick]) dataOf(await world.admin.delete(`${path}/${String(id)}`))
    assert.equal(refusalOf(await world.admin.delete(`${path}/${String(quick['id'])}`)).status, 404)
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.equal(world.posted.length, before)
    await world.tripping('reset', provider)
  })

  it('go by errors, first tokens, usage, money and quotas', async () => {
    const { lane, name, provider, model } = await world.provide()
    await lane.behave({ usage: 'none' })
    for (let call = 0; call < 6; call++) assert.equal(await world.ask(name), 'ok')
    await lane.behave({ trouble: { kind: 'status', status: 500 } })
    for (let call = 0; call < 2; call++) assert.equal(await world.ask(name), 'upstream_error')
    const scope = { provider_id: provider, model_id: model }
    const quota = { name: 'little', metric: 'requests', limit: '1000', window: { kind: 'total' } }
    const quotaId = dataOf(await world.admin.post('/admin/ai/quotas', quota), 201)['id']
    const rules = {
      errors: await world.make(ruleOf({ metric: 'error_rate', scope, op: '>', value: 0.4 })),
      few: await world.make(ruleOf({ metric: 'error_rate', scope, op: '>', value: 0.5 })),
      estimated: await world.make(ruleOf({ metric: 'estimated_usage_ratio', scope, op: '>=', value: 1 })),
      first: await world.make(ruleOf({ metric: 'ttft_p95', scope, op: '>', value: 60_000 })),
      money: await world.make(ruleOf({ metric: 'cost_rate_vs_7d', scope, op: '>', value: 3 })),
      quota: await world.make(ruleOf({ metric: 'quota_ratio', scope: { quota_id: quotaId }, op: '<', value: 0.5 })),
      dead: await world.make(ruleOf({ metric: 'no_healthy_target', scope })),
    }
    const states = async (): Promise<Record<string, unknown>> => {
      await world.turn('ai.alerts')
      const found = Object.entries(rules).map(async ([key, { id }]) => [key, (await world.find(id))['state']] as const)
      return Object.fromEntries(await Promise.all(found))
    }
    const wanted = {
      ...{
        errors: 'firing',
        few: 'ok',
        estimated: 'firing',
        first: 'ok',
        money: 'ok',
        quota: 'firing',
        dead: 'firing',
      },
    }
    // Hosts write down what they counted each two seconds.
    await until(async () => (await states())['errors'] === 'firing')
    assert.deepEqual(await states(), wanted)
    const { value } = await world.find(rules.errors['id'])
    assert.ok(Math.abs(Number(value) - 5 / 11) < 1e-6, String(value))
    await world.tripping('reset', provider)
  })

  it('tell of refused credentials without a rule', async () => {
    const { lane, name, provider } = await world.provide()
    await lane.behave({ trouble: { kind: 'status', status: 401 } })
    assert.equal(await world.ask(name), 'upstream_auth_failed')
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.deepEqual(await world.toldOf(` ${name} `), [`The AI provider ${name} refuses its credentials`])
    await world.tripping('reset', provider)
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.deepEqual(await world.toldOf(name), [
      `AI alert is over: ${name}`,
      `The AI provider ${name} refuses its credentials`,
    ])
  })

  it('of a tenant are its own, and its administrators hear of them', async () => {
    const { provider } = await world.provide(world.owner)
    const when = { metric: 'breaker_open', scope: { provider_id: provider } }
    const rule = await world.make({ name: 'the tenant’s', when, notify: { ws: ['admin'] } }, world.owner)
    await world.tripping('trip', provider)
    await world.turn('ai.alerts')
    await world.settle('ai.alert_tell')
    assert.deepEqual(await world.told(world.owner), ['AI alert: the tenant’s'])
    assert.deepEqual(await world.toldOf('the tenant’s'), [])
    const { id: other } = await world.make(ruleOf({ metric: 'breaker_open' }))
    assert.equal(refusalOf(await world.owner.delete(`${path}/${String(other)}`)).status, 404)
    assert.deepEqual(
      (await itemsOf(world.owner, path)).map(({ id, tenant_id: of }) => [id, typeof of]),
      [[rule['id'], 'number']],
    )
    await world.tripping('reset', provider)
  })

  it('are no more than a hundred rules a tenant, however many ask at once, and of each other independent', async () => {
    const { owner: busy } = await createTenant(world.admin, 'busy')
    const { id: one } = await world.make(ruleOf({ metric: 'breaker_open' }), busy)
    await world
      .db()
      .raw(
        `insert into ai_alert_rules (id, tenant_id, name, condition, notify, cooldown_s)
         select id || n, tenant_id, name, condition, notify, cooldown_s from ai_alert_rules, generate_series(1, 97) n where id = ?`,
        [one],
      )
      .queryContext({ tenant: 'all' })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => busy.post(path, ruleOf({ metric: 'breaker_open' }))),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 422, 422, 422])
    const { provider } = await world.provide(busy)
    const firing = await world.make({
      name: 'still there',
      when: { metric: 'breaker_open', scope: { provider_id: provider } },
    })
    await world.tripping('trip', provider)
    // A rule of which nothing can be measured, as after a fault of the database.
    const { id } = await world.make(ruleOf({ metric: 'cost_rate_vs_7d', op: '>', value: 1 }))
    const condition = { metric: 'cost_rate_vs_7d', scope: { tenant_id: 9e12 }, op: '>', value: 1, for_s: 0 }
    await world
      .db()('ai_alert_rules')
      .queryContext({ tenant: 'all' })
      .where({ id })
      .update({ condition: JSON.stringify(condition) })
    await world.turn('ai.alerts')
    dataOf(await world.admin.delete(`${path}/${String(id)}`))
    assert.equal((await world.find(firing['id']))['state'], 'firing')
    await world.tripping('reset', provider)
  })

  it('have no rules that cannot be', async () => {
    const reasons = async (rule: object, by: Api = world.admin): Promise<unknown> => {
      const answer = await by.post(path, rule)
      const fields = (answer.body['errors'] as unknown as readonly Body[]).map(({ field }) => field)
      return [refusalOf(answer).code, ...fields]
    }
    const rate = { metric: 'error_rate', op: '>', value: 0.2 }
    assert.deepEqual(await reasons(ruleOf({ metric: 'error_rate' })), [4229, 'when.value'])
    assert.deepEqual(await reasons(ruleOf({ ...rate, scope: { provider_id: 'prv_none' } })), [
      ...[4229, 'when.scope.provider_id'],
    ])
    assert.deepEqual(await reasons(ruleOf({ ...rate, scope: { tenant_id: 4711 } }), world.owner), [
      4229,
      'when.scope.tenant_id',
    ])
    const { provider } = await world.provide(world.owner)
    const { owner: other } = await createTenant(world.admin, 'other')
    const elsewhere = ruleOf({ ...rate, scope: { provider_id: provider } })
    assert.deepEqual(await reasons(elsewhere, other), [4229, 'when.scope.provider_id'])
    const full = (quota_id: string) => ruleOf({ metric: 'quota_ratio', op: '>', value: 0.9, scope: { quota_id } })
    const quota = { name: 'foreign', metric: 'requests', limit: '1000000', window: { kind: 'total' } }
    const foreign = dataOf(await world.admin.post('/admin/ai/quotas', quota), 201)['id'] as unknown as string
    const own = dataOf(await world.owner.post('/admin/ai/quotas', quota), 201)['id'] as unknown as string
    const unknown = [4229, 'when.scope.quota_id']
    assert.deepEqual(await reasons(full('qta_none')), unknown)
    assert.deepEqual(await reasons(full(foreign), world.owner), unknown, 'that there is one is not told')
    dataOf(await world.owner.post(path, full(own)), 201)
    assert.deepEqual(await reasons(ruleOf({ ...rate, scope: { tenant_id: 4711 } })), [4229, 'when.scope.tenant_id'])
    assert.deepEqual(await reasons(ruleOf(rate, { notify: { webhook: 'http://192.168.0.1/' } })), [
      4229,
      'notify.webhook',
    ])
    const mailed = { notify: { email: ['owner@acme.test', 'stranger@example.test'] } }
    assert.deepEqual(await reasons(ruleOf(rate, mailed), world.owner), [4229, 'notify.email[1]'])
    dataOf(await world.owner.post(path, ruleOf(rate, { notify: { email: ['Owner@acme.test'] } })), 201)
    dataOf(await world.admin.post(path, ruleOf(rate, mailed)), 201)
    const rows: unknown = await world.db()('ai_alert_rules').queryContext({ tenant: 'all' })
    const audited = dataOf(await world.admin.get('/admin/audit-logs?limit=200'))
    assert.doesNotMatch(JSON.stringify([rows, audited]), /secret-token|of-the-hook/)
    assert.match(JSON.stringify(audited), /ai_alert_rule\.created/)
  })
})
