import assert from 'node:assert/strict'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import pluginSchedules from '../../../core-plugins/plugin-schedules/index.ts'
import * as moving from '../../../core-plugins/plugin-schedules/migrations/0003-jobs.ts'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { openDatabase } from '../../../kernel/data/database.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const everybody = { tenant: 'all' }

describe('a database with schedules of an older release', () => {
  it('has a job afterwards for each that is due some time, and one for each run that goes on', async () => {
    await using database = await createTestDatabase(
      migratedFor([jobsPlugin, pluginsPlugin, pluginSchedules], silentLog),
    )
    await using opened = await openDatabase({ url: database.url, poolSize: 1, log: silentLog })
    const { knex } = opened
    const about = { name: 'acme.old', version: '1.0.0', tree_hash: 'h', sha256: 's', size: 1, trust: 'verified' }
    const [release] = await knex('plugin_releases')
      .insert({ ...about, manifest: '{}', files: '[]' })
      .returning<{ id: number }[]>('id')
    const [plugin] = await knex('plugins')
      .insert({ name: 'acme.old', scope: 'tenant', status: 'enabled', active_release: release?.id, generation: 1 })
      .returning<{ id: number }[]>('id')
    const pluginId = plugin!.id
    const due = new Date('2030-01-01T00:00:00Z')
    const leased = new Date('2029-01-01T00:00:00Z')
    const run = { run_id: '018f4c1e-0000-7000-8000-000000000001', leased_until: leased, attempt: 2 }
    await knex.transaction(async (trx) => {
      await trx.raw(
        'alter table plugin_schedules drop column job_id, add column fencing bigint, add column leased_until timestamptz',
      )
      await trx.raw('alter table plugin_schedule_runs drop column error_said')
      const row = { plugin_id: pluginId, schedule: 'nightly', cron: '0 2 * * *', timezone: 'UTC' }
      await trx('plugin_schedules')
        .queryContext(everybody)
        .insert([
          { ...row, tenant_id: 7, due_at: due, ...run },
          { ...row, tenant_id: 8, due_at: due },
          { ...row, tenant_id: 9 },
        ])
      await moving.up(trx)
    })
    const jobs = (await knex('jobs').queryContext(everybody).orderBy(['tenant_id', 'run_at'])) as readonly Record<
      string,
      unknown
    >[]
    const name = `${pluginId}/nightly`
    assert.deepEqual(
      jobs.map(({ tenant_id, dedupe, run_at, state, group_name, payload }) => [
        tenant_id,
        dedupe,
        run_at,
        state,
        group_name,
        payload,
      ]),
      [
        [7, null, leased],
        [7, name, due],
        [8, name, due],
      ].map((job) => [...job, 'delayed', String(pluginId), { pluginId, schedule: 'nightly' }]),
    )
    const rows = (await knex('plugin_schedules').queryContext(everybody).orderBy('tenant_id')) as readonly Record<
      string,
      unknown
    >[]
    assert.deepEqual(
      rows.map(({ job_id, attempt }) => [job_id, attempt]),
      [[jobs[0]?.['id'], 2]].concat([
        [null, 0],
        [null, 0],
      ]),
    )
  })
})
