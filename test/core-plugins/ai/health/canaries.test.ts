import assert from 'node:assert/strict'
import type { Body } from '../../../support/api.ts'
import { dataOf } from '../../../support/platform.ts'
import { until } from '../../../support/until.ts'
import { healthWorld, itemsOf, type HealthWorld } from './world.ts'

describe('canaries of AI models', () => {
  let world: HealthWorld
  before(async () => {
    world = await healthWorld()
    // What fails is asked again and again, so that no breaker ends it first.
    const breaker = { min_requests: 4, error_rate: 1, consecutive: 1_000 }
    dataOf(await world.admin.put('/admin/ai/gateway', { breaker, retry: { max_attempts: 1 } }))
  })
  after(() => world[Symbol.asyncDispose]())

  const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()
  const versionsOf = async (model: string): Promise<readonly Body[]> =>
    dataOf(await world.admin.get(`/admin/ai/models/${model}`))['versions'] as unknown as readonly Body[]
  const begin = async (model: string, provider: string, rate: number) => {
    const canary = { percent: 99, until: inAnHour(), abort_if_error_rate: rate }
    const wish = { provider_id: provider, canary }
    const made = dataOf(await world.admin.post(`/admin/ai/models/${model}/versions`, wish), 201)
    assert.equal(made['state'], 'canary')
  }

  it('end where too many calls fail, are never activated, and administrators hear of it', async () => {
    const good = await world.provide()
    const bad = await world.provide()
    await bad.lane.behave({ trouble: { kind: 'status', status: 500 } })
    await begin(good.model, bad.provider, 0.5)
    await until(async () => {
      await world.ask(good.name)
      return (await versionsOf(good.model))[1]?.['state'] === ('aborted' as unknown)
    })
    const [, canary] = await versionsOf(good.model)
    assert.deepEqual([canary?.['activates_at'], canary?.['canary']?.['abort_if_error_rate']], [null, 0.5])
    assert.equal(dataOf(await world.admin.get(`/admin/ai/models/${good.model}`))['active_version'], 1)
    assert.equal(dataOf(await world.admin.get(`/admin/ai/models/${good.model}/versions`))['comparison'], null)
    // The host that ended it may not have read the versions anew yet.
    await until(async () => {
      for (let call = 0; call < 5; call++) if ((await world.ask(good.name)) !== 'ok') return false
      return true
    })
    await world.settle('ai.alert_tell')
    assert.deepEqual(
      (await itemsOf(world.admin, '/notifications?source=ai')).map(({ title }) => title),
      [`The canary ${good.name}@2 was ended: too many of its calls failed`],
    )
    const log = await itemsOf(world.admin, '/admin/audit-logs?action=ai_model.version_aborted')
    assert.deepEqual(
      log.map(({ target }) => target),
      [`ai_model:${good.model}`],
    )
  })

  it('go on where few calls fail, or what fails is the callers’ doing', async () => {
    const { lane, name, model, provider } = await world.provide()
    await begin(model, provider, 0.5)
    await lane.behave({ trouble: { kind: 'status', status: 400 } })
    for (let call = 0; call < 6; call++) assert.equal(await world.ask(name), 'request_refused')
    await lane.behave({})
    for (let call = 0; call < 6; call++) assert.equal(await world.ask(name), 'ok')
    const figures = () =>
      world
        .db()('ai_canary_figures')
        .queryContext({ tenant: 'all' })
        .where({ model_id: model, version: 2 })
        .first<Body | undefined>()
    await until(async () => Number((await figures())?.['attempts']) >= 1)
    // As a host of the release before does while others run this one.
    const old = { model_id: model, version: 2, tenant_id: 0, attempts: 1, failures: 0 }
    const added = { attempts: world.db().raw('ai_canary_figures.attempts + excluded.attempts') }
    const write = () => world.db()('ai_canary_figures').queryContext({ tenant: 0 }).insert(old)
    await write().onConflict(['model_id', 'version']).merge(added)
    assert.equal(Number((await figures())?.['failures']), 0)
    // Of both versions it is told how many attempts said something of them.
    const told = async () => {
      const { comparison } = dataOf(await world.admin.get(`/admin/ai/models/${model}/versions`))
      return comparison as unknown as Record<'canary' | 'stable', Record<string, number>>
    }
    const sum = ({ canary, stable }: Awaited<ReturnType<typeof told>>, figure: string) =>
      Number(canary[figure]) + Number(stable[figure])
    await until(async () => sum(await told(), 'attempts') === 7)
    const { canary, stable } = await told()
    assert.deepEqual([canary['version'], stable['version'], sum({ canary, stable }, 'failures')], [2, 1, 0])
    await lane.behave({ trouble: { kind: 'status', status: 500 } })
    await world.ask(name)
    await until(async () => sum(await told(), 'failures') === 1)
    const { canary: later } = await told()
    assert.equal(later['error_rate'], Number(later['failures']) / Number(later['attempts']))
    assert.equal((await versionsOf(model))[1]?.['state'], 'canary')
  })
})
