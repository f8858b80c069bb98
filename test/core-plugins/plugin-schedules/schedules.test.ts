import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { heardBy, makeDue, packClock, rowsOf, scheduleOf } from './schedules-world.ts'

const yearly = '0 0 1 1 *'

describe('schedules of plugins', () => {
  let platform: Platform
  let admin: Api
  let one: { owner: Api; id: number }
  let two: { owner: Api; id: number }
  const clock = '/plugins/acme.clock'

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    one = await createTenant(admin, 'one')
    two = await createTenant(admin, 'two')
    const schedules = [
      { id: 'yearly', cron: yearly },
      { id: 'minutely', cron: '* * * * *' },
      { id: 'local', cron: '30 3 * * *', timezone: 'tenant', perTenant: true },
      { id: 'broken', cron: yearly, handler: 'broken' },
      { id: 'slow', cron: yearly, handler: 'slow', timeoutMs: 1200 },
      { id: 'endless', cron: yearly, handler: 'slow' },
    ]
    await installAndEnable(admin, await packClock('acme.clock', schedules))
    dataOf(await admin.post(`${clock}/tenants`, { tenant_ids: [one.id, two.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.clock/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const heard = async (id: string) => (await heardBy(admin, 'acme.clock')).filter((run) => run.id === id)
  const ended = async (id: string, runs: number) => {
    const list = async () => dataOf(await admin.get(`${clock}/schedules/${id}/runs`))['items'] as unknown as object[]
    await until(async () => (await list()).length === runs)
    return (await list()) as { outcome: string; code: number; error: string; run_id: string; tenant_id: number }[]
  }

  it('are planned for their next time when the plugin is enabled', async () => {
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'local')).next_run_at !== null)
    const { next_run_at: next, ...rest } = await scheduleOf(admin, 'acme.clock', 'yearly')
    assert.deepEqual(new Date(next ?? ''), new Date(Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)))
    assert.deepEqual(rest, {
      ...{ id: 'yearly', cron: yearly, timezone: 'UTC', per_tenant: false, planned: 1 },
      ...{ running: 0, skipped: 0, consecutive_failures: 0, last_run: null },
    })
  })

  it('run once when their time has come, and are told which run it is', async () => {
    const at = await makeDue(platform, 'yearly')
    const [run] = await ended('yearly', 1)
    const [seen, ...more] = await heard('yearly')
    assert.deepEqual([seen?.scheduled_at, seen?.attempt, seen?.tenant, more], [at.toISOString(), 1, null, []])
    assert.deepEqual([run?.outcome, run?.run_id, run?.tenant_id], ['succeeded', seen?.run_id, null])
    const { next_run_at: next, last_run: last } = await scheduleOf(admin, 'acme.clock', 'yearly')
    assert.deepEqual([new Date(next ?? '').getUTCMonth(), last?.outcome], [0, 'succeeded'])
  })

  it('make up once for all that was missed within the hour, and never for more', async () => {
    await makeDue(platform, 'minutely', 20 * 60)
    await ended('minutely', 1)
    const [seen, ...more] = await heard('minutely')
    const late = Date.now() - Date.parse(seen?.scheduled_at ?? '')
    assert.deepEqual([late < 61_000, more], [true, []])
    await makeDue(platform, 'broken', 2 * 60 * 60)
    const [missed] = await ended('broken', 1)
    assert.deepEqual([missed?.outcome, await heard('broken')], ['missed', []])
  })

  it('run for each tenant that uses the plugin, in its own time zone', async () => {
    dataOf(await one.owner.put('/tenant/configs/groups/tenant_basic', { timezone: 'Asia/Shanghai' }))
    const next = async () => {
      const [row] = await rowsOf(platform, 'local')
      return row && [row.tenant_id, row.next_run_at.toISOString().slice(11, 16)]
    }
    await until(async () => (await next())?.[1] === '19:30')
    assert.deepEqual(await next(), [one.id, '19:30'])
    await makeDue(platform, 'local')
    await ended('local', 1)
    const seen = await heardBy(one.owner, 'acme.clock', 'tenant')
    assert.deepEqual(
      seen.map(({ id, tenant }) => [id, tenant]),
      [['local', 'one']],
    )
  })

  it('have no next time for a tenant that switches the plugin off', async () => {
    dataOf(await one.owner.post('/tenant/plugins/acme.clock/disable'))
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'local')).next_run_at === null)
    assert.deepEqual(refusalOf(await admin.post(`${clock}/schedules/local/run`, {})), {
      ...{ status: 409, code: 4094, reason: 'plugin_schedule_not_planned' },
    })
    dataOf(await one.owner.post('/tenant/plugins/acme.clock/enable'))
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'local')).next_run_at !== null)
  })

  it('that fail are recorded and come again at their next time', async () => {
    dataOf(await admin.post(`${clock}/schedules/broken/run`, {}), 202)
    const [failed] = await ended('broken', 2)
    assert.deepEqual([failed?.outcome, failed?.code, failed?.error], ['failed', 5004, 'out of order'])
    const { consecutive_failures: failures, next_run_at: next } = await scheduleOf(admin, 'acme.clock', 'broken')
    assert.deepEqual([failures, next !== null], [1, true])
  })

  it('never run twice at once, and end at their own time limit', async () => {
    dataOf(await admin.post(`${clock}/schedules/slow/run`, {}), 202)
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'slow')).running === 1)
    assert.deepEqual(refusalOf(await admin.post(`${clock}/schedules/slow/run`, {})), {
      ...{ status: 409, code: 4094, reason: 'plugin_schedule_running' },
    })
    await makeDue(platform, 'slow')
    const [run] = await ended('slow', 1)
    assert.deepEqual([run?.outcome, run?.code], ['failed', 5040])
    const { skipped, next_run_at: next } = await scheduleOf(admin, 'acme.clock', 'slow')
    assert.deepEqual([skipped, new Date(next ?? '').getUTCMonth()], [1, 0])
  })

  it('are lost when somebody cancels their job, and told why in the language of who reads it', async () => {
    dataOf(await admin.post(`${clock}/schedules/endless/run`, {}), 202)
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'endless')).running === 1)
    const [row] = await rowsOf(platform, 'endless')
    dataOf(await admin.post(`/admin/jobs/${row?.job_id}/cancel`))
    const [run] = await ended('endless', 1)
    assert.deepEqual([run?.outcome, run?.error], ['lost', 'It was cancelled'])
    const chinese = await admin.get(`${clock}/schedules/endless/runs`, { headers: { 'accept-language': 'zh-CN' } })
    const [told] = dataOf(chinese)['items'] as unknown as { error: string }[]
    assert.equal(told?.error, '运行已被取消')
  })

  it('leave a time out whose job somebody cancels, and come at the one after it', async () => {
    const { next_run_at: next, skipped } = await scheduleOf(admin, 'acme.clock', 'endless')
    const { items } = dataOf(await admin.get('/admin/jobs?kind=plugin_schedules.run&page_size=100')) as unknown as {
      items: { id: number; run_at: string }[]
    }
    const [row] = await rowsOf(platform, 'endless')
    const job = items.find(({ run_at: at }) => at === row?.due_at?.toISOString())
    dataOf(await admin.post(`/admin/jobs/${job?.id}/cancel`))
    const after = await scheduleOf(admin, 'acme.clock', 'endless')
    const years = new Date(after.next_run_at ?? '').getUTCFullYear() - new Date(next ?? '').getUTCFullYear()
    assert.deepEqual([years, after.skipped - skipped], [1, 1])
  })

  it('end at the time limit that the platform sets', async () => {
    const group = '/admin/configs/groups/platform_plugin'
    dataOf(await admin.put(group, { plugin_schedule_wall_ms: 300 }))
    dataOf(await admin.post(`${clock}/schedules/endless/run`, {}), 202)
    const [run] = await ended('endless', 2)
    assert.deepEqual([run?.outcome, run?.code], ['failed', 5040])
    dataOf(await admin.put(group, { values: {}, reset: ['plugin_schedule_wall_ms'] }))
  })

  it('are computed anew on request', async () => {
    await rowsOf(platform, 'yearly').update({ next_run_at: new Date(Date.now() + 9e9), due_at: null })
    const { items } = dataOf(await admin.post(`${clock}/refresh-schedules`)) as unknown as {
      items: { id: string; next_run_at: string }[]
    }
    assert.deepEqual(
      items.map(({ id }) => id),
      ['yearly', 'minutely', 'local', 'broken', 'slow', 'endless'],
    )
    assert.equal(new Date(items[0]?.next_run_at ?? '').getUTCMonth(), 0)
  })

  it('are for administrators who may, and only those that exist', async () => {
    const user = await createUser(one.owner, 'one', [])
    assert.equal((await user.get(`${clock}/schedules`)).status, 403)
    assert.equal((await user.post(`/admin${clock}/refresh-schedules`)).status, 403)
    const answers = [
      await admin.post('/plugins/acme.none/refresh-schedules'),
      await admin.post(`${clock}/schedules/none/run`, {}),
      await admin.get(`${clock}/schedules/none/runs`),
    ]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      [[404, 4046]].concat([
        [404, 4040],
        [404, 4040],
      ]),
    )
  })

  it('are shown and asked for of one tenant alone where one is named', async () => {
    const local = `${clock}/schedules/local`
    const itemsOf = async <Item>(path: string) => dataOf(await admin.get(path))['items'] as unknown as readonly Item[]
    const hasRun = async (id: number) => (await itemsOf(`${local}/runs?tenant_id=${id}`)).length > 0
    const isPlanned = async (id: number) => {
      const planned = await itemsOf<{ id: string; next_run_at: unknown }>(`${clock}/schedules?tenant_id=${id}`)
      return planned.some((each) => each.id === 'local' && each.next_run_at !== null)
    }
    await until(() => isPlanned(one.id))
    await makeDue(platform, 'local')
    await until(() => hasRun(one.id))
    assert.deepEqual([await hasRun(two.id), await isPlanned(one.id), await isPlanned(two.id)], [false, true, false])
    assert.deepEqual(refusalOf(await admin.post(`${local}/run`, { tenant_id: two.id })), {
      ...{ status: 409, code: 4094, reason: 'plugin_schedule_not_planned' },
    })
  })

  it('stop with the plugin and are planned anew when it comes back', async () => {
    dataOf(await admin.post(`${clock}/disable`))
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'yearly')).next_run_at === null)
    assert.deepEqual(refusalOf(await admin.post(`${clock}/schedules/yearly/run`, {})), {
      ...{ status: 409, code: 4094, reason: 'plugin_status' },
    })
    dataOf(await admin.post(`${clock}/enable`))
    await until(async () => (await scheduleOf(admin, 'acme.clock', 'yearly')).next_run_at !== null)
    assert.equal((await heard('yearly')).length, 1)
  })

  it('leave nothing behind', async () => {
    dataOf(await admin.post(`${clock}/tenants`, { tenant_ids: [two.id] }))
    dataOf(await two.owner.post('/tenant/plugins/acme.clock/enable'))
    await until(async () => (await rowsOf(platform, 'local')).length === 2)
    dataOf(await admin.delete(`${clock}/tenants/${two.id}`))
    await until(async () => (await rowsOf(platform, 'local')).length === 1)
    dataOf(await admin.delete(`${clock}?purge=true`))
    const { knex } = platform.host.kernel.database
    for (const table of ['plugin_schedules', 'plugin_schedule_runs']) {
      assert.deepEqual(await knex(table).queryContext({ tenant: 'all' }), [])
    }
    const jobs = knex('jobs').queryContext({ tenant: 'all' }).where({ kind: 'plugin_schedules.run' })
    assert.deepEqual(await jobs.whereNull('finished_at'), [])
  })
})
