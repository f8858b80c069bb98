import assert from 'node:assert/strict'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import pluginEvents from '../../../core-plugins/plugin-events/index.ts'
import * as moving from '../../../core-plugins/plugin-events/migrations/0004-jobs.ts'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { openDatabase } from '../../../kernel/data/database.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const everybody = { tenant: 'all' }

describe('a database with events of an older release', () => {
  it('has one job afterwards for each plugin and tenant for which some wait', async () => {
    await using database = await createTestDatabase(migratedFor([jobsPlugin, pluginsPlugin, pluginEvents], silentLog))
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
    const event = { plugin_id: pluginId, type: 'acme.said', payload: '{}', hop: 1 }
    await knex.transaction(async (trx) => {
      await trx.raw('alter table plugin_events add column leased_until timestamptz')
      await trx('plugin_events')
        .queryContext(everybody)
        .insert([
          { ...event, tenant_id: 7, leased_until: new Date() },
          { ...event, tenant_id: 7 },
          { ...event, tenant_id: 8 },
          { ...event, tenant_id: 9, state: 'failed' },
        ])
      await moving.up(trx)
    })
    const rows = (await knex('jobs').queryContext(everybody).orderBy('tenant_id')) as readonly Record<string, unknown>[]
    const name = String(pluginId)
    assert.deepEqual(
      rows.map(({ kind, tenant_id, payload, key, dedupe, group_name, state }) => [
        ...[kind, tenant_id, payload, key, dedupe, group_name, state],
      ]),
      [7, 8].map((tenant) => ['plugin_events.deliver', tenant, { pluginId }, name, name, name, 'waiting']),
    )
  })
})
