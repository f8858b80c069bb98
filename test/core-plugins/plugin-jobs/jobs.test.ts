import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { packWorker } from './worker.ts'

interface Job {
  readonly state: string
  readonly progress: number | null
  readonly text: string | null
  readonly steps: number
  readonly result: unknown
  readonly error: string | null
}

describe('jobs of plugins', () => {
  let platform: Platform
  let one: Api
  let two: Api
  const api = '/tenant/plugins/acme.worker/api'

  before(async () => {
    platform = await startPlatform()
    const { admin } = platform
    const tenants = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    await installAndEnable(admin, await packWorker())
    dataOf(await admin.post('/plugins/acme.worker/tenants', { tenant_ids: tenants.map(({ id }) => id) }))
    for (const { owner } of tenants) dataOf(await owner.post('/tenant/plugins/acme.worker/enable'))
    ;[one, two] = tenants.map(({ owner }) => owner) as [Api, Api]
  })
  after(() => platform[Symbol.asyncDispose]())

  const start = async (name: string, input: unknown = null, options: object = {}): Promise<string> =>
    dataOf(await one.post(`${api}/jobs`, { name, input, options }))['id'] as unknown as string
  const look = async (id: string, as = one): Promise<Job | null> =>
    dataOf(await as.get(`${api}/jobs/${id}`))['job'] as unknown as Job | null
  const ended = async (id: string): Promise<Job | null> => {
    await until(async () => ['done', 'failed', 'cancelled'].includes((await look(id))?.state ?? ''), 60_000)
    return look(id)
  }
  const notes = async (): Promise<readonly string[]> =>
    dataOf(await one.get(`${api}/notes`))['notes'] as unknown as readonly string[]

  it('are done step by step, in the tenant that asked and without its user', async () => {
    const id = await start('count', { to: 3, name: 'a' })
    const { state, progress, steps, result, text } = (await ended(id)) as Job
    assert.deepEqual([state, progress, steps, result, text], ['done', 100, 3, { counted: 3 }, 'at 2'])
    assert.deepEqual(
      (await notes()).filter((note) => note.startsWith('a')),
      ['a1/1one', 'a2/2one', 'a3/3one'],
    )
  })

  it('are seen by their own plugin and tenant alone', async () => {
    const id = await start('count', { to: 1 })
    assert.equal(await look(id, two), null)
    assert.equal(await look('nothing'), null)
    await ended(id)
  })

  it('try a step again that fails, and are given up in the end', async () => {
    const fragile = await start('fragile')
    const ok = (await ended(fragile)) as Job
    assert.deepEqual([ok.state, ok.result], ['done', { attempt: 3, step: 1 }])
  })

  it('are done one after the other that have a key, and not before their time', async () => {
    const first = await start('count', { to: 2, name: 'k', delay: 300 }, { key: 'line' })
    const second = await start('count', { to: 1, name: 'q' }, { key: 'line' })
    const late = await start('count', { to: 1, name: 'late' }, { delay: 3_600_000 })
    await ended(second)
    assert.equal(((await look(first)) as Job).state, 'done')
    const order = (await notes()).filter((note) => /^[kq]/.test(note))
    assert.deepEqual(order, ['k1/1one', 'k2/2one', 'q1/1one'])
    assert.equal(((await look(late)) as Job).state, 'waiting')
    assert.deepEqual(dataOf(await one.delete(`${api}/jobs/${late}`)), { cancelled: true })
    assert.equal(((await look(late)) as Job).state, 'cancelled')
    assert.deepEqual(dataOf(await one.delete(`${api}/jobs/${late}`)), { cancelled: false })
  })

  it('that are taken back end with the step they are at', async () => {
    const id = await start('count', { to: 1_000, name: 'c', delay: 50 })
    await until(async () => ((await look(id))?.steps ?? 0) > 0)
    dataOf(await one.delete(`${api}/jobs/${id}`))
    const { steps } = (await look(id)) as Job
    await until(async () => {
      const { rows } = await platform.host.kernel.database.knex
        .raw<{ rows: object[] }>(
          `select 1 from jobs where kind = 'plugin_jobs.step' and state in ('delayed', 'running', 'waiting') and payload->>'id' = ?`,
          [id],
        )
        .queryContext({ tenant: 'all' })
      return rows.length === 0
    })
    const now = (await look(id)) as Job
    assert.deepEqual([now.state, now.steps <= steps + 1], ['cancelled', true])
  })

  it('may enqueue others', async () => {
    const id = await start('again')
    const { result } = (await ended(id)) as Job & { result: { id: string } }
    assert.equal(((await ended(result.id)) as Job).state, 'done')
  })

  it('are charged to the day, and wait for the next one when it has none left', async () => {
    const knex = platform.host.kernel.database.knex
    const days = () => knex('plugin_job_days').queryContext({ tenant: 'all' })
    const [spent] = await days().select<{ cpu_ms: number }[]>('cpu_ms')
    assert.ok((spent?.cpu_ms ?? 0) > 0)
    const group = '/admin/configs/groups/platform_plugin'
    dataOf(await platform.admin.put(group, { plugin_job_day_cpu_ms: 1_000 }))
    await days().update({ cpu_ms: 2_000 })
    const id = await start('count', { to: 1, name: 'tomorrow' })
    await until(async () => {
      const { rows } = await knex
        .raw<{ rows: { late: boolean }[] }>(
          `select run_at > now() + interval '1 second' as late from jobs where payload->>'id' = ?`,
          [id],
        )
        .queryContext({ tenant: 'all' })
      return rows[0]?.late === true
    })
    assert.equal(((await look(id)) as Job).state, 'waiting')
    await days().update({ cpu_ms: 0 })
    dataOf(await platform.admin.put(group, { values: {}, reset: ['plugin_job_day_cpu_ms'] }))
  })

  it('end a step at its clock, and the job at its own', async () => {
    const knex = platform.host.kernel.database.knex
    const rowOf = (id: string) => knex('plugin_jobs').queryContext({ tenant: 'all' }).where({ id })
    const slow = await start('slow')
    await until(async () => (await look(slow))?.error !== null)
    const [{ wall_ms: took } = { wall_ms: '0' }] = await rowOf(slow).select<{ wall_ms: string }[]>('wall_ms')
    assert.ok(Number(took) >= 300 && Number(took) < 60_000, `wall_ms of one step: ${took}`)
    dataOf(await one.delete(`${api}/jobs/${slow}`))
    const long = await start('count', { to: 5 }, { delay: 200 })
    await rowOf(long).update({ wall_ms: 60_000 })
    const { state, error } = (await ended(long)) as Job
    assert.deepEqual([state, error], ['failed', 'Its steps took longer than 1 minutes together'])
  })

  it('wait in a number that is bounded', async () => {
    const knex = platform.host.kernel.database.knex
    await knex
      .raw(
        `insert into plugin_jobs (plugin_id, tenant_id, name, input)
         select plugin_id, tenant_id, name, '{}' from plugin_jobs row, generate_series(1, 1000) limit 1000`,
      )
      .queryContext({ tenant: 'all' })
    const tenants = await knex('plugin_jobs').queryContext({ tenant: 'all' }).distinct().pluck<number[]>('tenant_id')
    assert.equal(tenants.length, 1)
    const full = await one.post(`${api}/jobs`, { name: 'count' })
    assert.equal(full.status, 429, JSON.stringify(full.body))
    assert.match((full.body as unknown as { reason: string }).reason, /plugin_jobs_full/)
    await knex('plugin_jobs').queryContext({ tenant: 'all' }).where({ input: '{}' }).delete()
  })

  it('are held to what the manifest names, and to their bounds', async () => {
    const refusal = async (body: object): Promise<unknown> => {
      const { status, body: answer } = await one.post(`${api}/jobs`, body)
      return [status, (answer as unknown as { reason: string }).reason]
    }
    assert.deepEqual(await refusal({ name: 'secret' }), [400, 'plugin.acme.worker.job_unknown'])
    assert.deepEqual(await refusal({ name: 'count', input: 'x'.repeat(70_000) }), [
      422,
      'plugin.acme.worker.job_too_large',
    ])
    assert.deepEqual(await refusal({ name: 'count', options: { key: '' } }), [
      422,
      'plugin.acme.worker.job_key_invalid',
    ])
    assert.deepEqual(await refusal({ name: 'count', options: { delay: -1 } }), [
      400,
      'plugin.acme.worker.argument_invalid',
    ])
    const many = await one.post(`${api}/many`)
    assert.deepEqual(
      [many.status, (many.body as unknown as { reason: string }).reason],
      [429, 'plugin.acme.worker.job_rate'],
    )
  })

  it('go with the plugin', async () => {
    const { admin } = platform
    const removed = dataOf(await admin.delete('/plugins/acme.worker?purge=true'))
    assert.ok(removed)
    const knex = platform.host.kernel.database.knex
    for (const table of ['plugin_jobs', 'plugin_job_days'])
      assert.deepEqual(await knex(table).queryContext({ tenant: 'all' }).select('*'), [])
    assert.deepEqual(
      await knex('jobs')
        .queryContext({ tenant: 'all' })
        .where({ kind: 'plugin_jobs.step' })
        .whereIn('state', ['waiting', 'delayed', 'held']),
      [],
    )
  })
})
