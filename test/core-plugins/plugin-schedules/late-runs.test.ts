// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import { holdLease, JobLostError, reclaimJobs } from '../../../core-plugins/jobs/queue/leases.ts'
import { takeJobs } from '../../../core-plugins/jobs/queue/take-jobs.ts'
import { JobService } from '../../../core-plugins/jobs/service.ts'
import { KindTable } from '../../../core-plugins/jobs/worker/kind-table.ts'
import type { RunningJob } from '../../../core-plugins/jobs/contract.ts'
import pluginSchedules from '../../../core-plugins/plugin-schedules/index.ts'
import { runKind, ScheduleJobs, type RunPayload } from '../../../core-plugins/plugin-schedules/schedule-jobs.ts'
import type { ScheduleRun } from '../../../core-plugins/plugin-schedules/schedule-run.ts'
import { ScheduleRuns } from '../../../core-plugins/plugin-schedules/schedule-runs.ts'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const everybody = { tenant: 'all' } as const
const yearly = { cron: '0 0 1 1 *', timezone: 'UTC' }

/** Without hosts, so that nobody renews or ends what the test has taken. */
describe('a run of a schedule', () => {
  let test: TestDatabase
  let database: Database
  let db: Knex
  let pluginId: number
  let jobs: ScheduleJobs
  let runs: ScheduleRuns

  before(async () => {
    test = await createTestDatabase(migratedFor([jobsPlugin, pluginsPlugin, pluginSchedules], silentLog))
    database = await openDatabase({ url: test.url, poolSize: 4, log: silentLog })
    db = database.knex
    const nobody = {
      worker: { wakeSoon: () => undefined, drain: () => Promise.resolve() },
      alarm: { ringAfter: () => undefined },
    }
    jobs = new ScheduleJobs(new JobService({ db, kinds: new KindTable(), ...nobody }))
    runs = new ScheduleRuns(db, jobs)
    const about = { name: 'acme.late', version: '1.0.0', tree_hash: 'h', sha256: 's', size: 1, trust: 'verified' }
    const [release] = await db('plugin_releases')
      .insert({ ...about, manifest: '{}', files: '[]' })
      .returning<{ id: number }[]>('id')
    const [row] = await db('plugins')
      .insert({ name: 'acme.late', scope: 'tenant', status: 'enabled', active_release: release?.id, generation: 1 })
      .returning<{ id: number }[]>('id')
    pluginId = row!.id
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const rows = (table: string) => db(table).queryContext(everybody).select<Record<string, unknown>[]>()
  const row = async () => (await rows('plugin_schedules'))[0] ?? assert.fail('no schedule')
  const wake = (delay = 0) =>
    db.transaction((trx) => jobs.wake(trx, [{ pluginId, schedule: 'yearly', tenantId: 7, delay }]))
  beforeEach(async () => {
    const key = { plugin_id: pluginId, schedule: 'yearly', tenant_id: 7 }
    await db('plugin_schedules')
      .queryContext(everybody)
      .insert({ ...key, ...yearly, next_run_at: db.fn.now(), due_at: db.fn.now() })
    await wake()
  })
  afterEach(async () => {
    await db('plugin_schedules').queryContext(everybody).delete()
    await db('jobs').queryContext(everybody).delete()
    await db('plugins').update({ status: 'enabled' })
  })

  const take = async (): Promise<RunningJob<RunPayload>> => {
    const shares = { tenants: {}, other: 1 }
    const kinds = [{ kind: runKind, room: 1, after: -1, ...shares }]
    const [job] = await takeJobs(db, { hostId: 'h', most: 1, ...shares, kinds })
    if (!job) return assert.fail('nothing was taken')
    return {
      ...{
        id: job.id,
        kind: job.kind,
        tenantId: job.tenantId,
        payload: job.payload as RunPayload,
        attempt: job.attempt,
      },
      ...{ scheduledAt: undefined, createdAt: job.createdAt, signal: new AbortController().signal },
      progress: () => Promise.resolve(),
      hold: (trx) => holdLease(trx, job),
    }
  }
  /** The host that has the job says nothing for too long. */
  const takeOver = async () => {
    await db('jobs')
      .queryContext(everybody)
      .where({ state: 'running' })
      .update({ leased_until: new Date(0) })
    await reclaimJobs(db)
    return take()
  }
  const begin = async (job: RunningJob<RunPayload>): Promise<ScheduleRun> => {
    const run = await runs.begin(job)
    return typeof run === 'string' ? assert.fail(run) : run
  }

  it('is neither begun, ended nor left out by a host that was taken for dead', async () => {
    const late = await take()
    const lateRun = await begin(late)
    const present = await takeOver()
    const run = await begin(present)
    assert.deepEqual([run.runId, lateRun.attempt, run.attempt], [lateRun.runId, 1, 2])
    const before = await row()
    await assert.rejects(runs.begin(late), JobLostError)
    await assert.rejects(runs.finish(late, lateRun, { outcome: 'succeeded' }), JobLostError)
    await assert.rejects(runs.drop(late), JobLostError)
    assert.deepEqual([await row(), await rows('plugin_schedule_runs')], [before, []])
    await runs.finish(present, run, { outcome: 'succeeded' })
    const [ended, ...more] = await rows('plugin_schedule_runs')
    assert.deepEqual([ended?.['outcome'], ended?.['attempt'], more], ['succeeded', 2, []])
  })

  it('is begun three times at most', async () => {
    let job = await take()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.equal((await begin(job)).attempt, attempt)
      job = await takeOver()
    }
    assert.equal(await runs.begin(job), 'nothing')
    const [ended] = await rows('plugin_schedule_runs')
    const { run_id: runId, consecutive_failures: failures } = await row()
    assert.deepEqual([ended?.['outcome'], runId, failures], ['lost', null, 1])
  })

  it('goes on alone: the time that comes meanwhile is left out, and the one after it is looked at', async () => {
    const first = await take()
    const { runId } = await begin(first)
    await db('plugin_schedules').queryContext(everybody).update({ next_run_at: db.fn.now(), due_at: db.fn.now() })
    await wake()
    const second = await take()
    assert.notEqual(second.id, first.id)
    assert.equal(await runs.begin(second), 'nothing')
    const { run_id: still, attempt, skipped, due_at: due } = await row()
    assert.deepEqual([still, attempt, skipped], [runId, 1, 1])
    const waiting = (await rows('jobs')).filter(({ state }) => state === 'delayed')
    assert.deepEqual(
      waiting.map(({ run_at: at }) => at),
      [due],
    )
  })

  it('is not begun before its time, which is looked at again', async () => {
    const due = new Date(Date.now() + 3_600_000)
    await db('plugin_schedules').queryContext(everybody).update({ next_run_at: due, due_at: due })
    assert.equal(await runs.begin(await take()), 'nothing')
    assert.equal((await row())['run_id'], null)
    const waiting = (await rows('jobs')).filter(({ state }) => state === 'delayed')
    assert.deepEqual(
      waiting.map(({ run_at: at }) => at),
      [due],
    )
  })

  it('waits where the plugin is off, though a host has not heard of it', async () => {
    await db('plugins').update({ status: 'disabled' })
    assert.equal(await runs.begin(await take()), 'later')
    assert.equal((await row())['run_id'], null)
  })
})
