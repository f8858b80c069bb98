// @both-back-ends
import assert from 'node:assert/strict'
import { JobMetrics } from '../../../core-plugins/jobs/metrics.ts'
import { until } from '../../support/until.ts'
import { sampleOf, startQueueHost, type QueueHost } from './world.ts'

const daily = { name: 'daily', kind: 'test.unknown', cron: '0 0 * * *', timezone: 'UTC' }

describe('the rows of the queue', () => {
  let world: QueueHost
  beforeEach(async () => void (world = await startQueueHost()))
  afterEach(() => world[Symbol.asyncDispose]())

  const states = async () => (await world.rows()).map(({ state }) => state)

  it('are counted: what waits, runs and is dead of each kind', async () => {
    const metrics = new JobMetrics(world.db)
    for (let n = 0; n < 3; n++) await world.enqueue(n, { kind: 'test.unknown' })
    world.run({ attempts: 1, run: () => Promise.reject(new Error('no')) })
    await world.enqueue(1)
    await until(async () => (await states()).includes('dead'))
    await metrics.count()
    metrics.ended('test.work', 'done')
    const families = metrics.families()
    assert.equal(sampleOf(families, 'stoa_jobs', { kind: 'test.unknown', state: 'waiting' }), 3)
    assert.equal(sampleOf(families, 'stoa_jobs', { kind: 'test.work', state: 'dead' }), 1)
    assert.equal(sampleOf(families, 'stoa_job_runs_total', { kind: 'test.work', outcome: 'done' }), 1)
  })

  it('are shown to nobody but the tenant and the platform', async () => {
    for (const tenant of [1, 2]) await world.enqueue(tenant, { tenant, kind: 'test.unknown' })
    await world.queue.schedule(world.db, { ...daily, tenant: 1 })
    const counts = async (tenant?: number) =>
      Promise.all(
        ['jobs', 'job_schedules'].map(async (table) => {
          const query = world.db(table)
          return (await (tenant === undefined ? query : query.queryContext({ tenant }))).length
        }),
      )
    assert.deepEqual(
      [await counts(), await counts(1), await counts(2)],
      [
        [0, 0],
        [1, 1],
        [1, 0],
      ],
    )
  })

  it('are schedules that end for the one tenant of several that have one of the name', async () => {
    const tenants = async () => {
      const rows = world.db('job_schedules').queryContext({ tenant: 'all' })
      return rows.where({ name: daily.name }).orderBy('tenant_id').pluck<number[]>('tenant_id')
    }
    for (const tenant of [1, 2]) await world.queue.schedule(world.db, { ...daily, tenant })
    await world.queue.schedule(world.db, daily)
    await world.queue.schedule(world.db, { ...daily, name: 'another', tenant: 1 })
    await world.queue.unschedule(world.db, daily.name, 1)
    assert.deepEqual(await tenants(), [0, 2])
    await world.queue.unschedule(world.db, daily.name)
    assert.deepEqual(await tenants(), [2])
    assert.equal((await world.db('job_schedules').queryContext({ tenant: 1 })).length, 1)
  })
})
