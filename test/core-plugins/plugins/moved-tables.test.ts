// @both-back-ends
import assert from 'node:assert/strict'
import path from 'node:path'
import { corePlugins } from '../../../core-plugins/index.ts'
import { openDatabase } from '../../../kernel/data/database.ts'
import { refuseNewerSchema } from '../../../kernel/data/newer-schema.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { checkout } from '../../support/host-process.ts'
import { silentLog, startTestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

/** What `plugins` had recorded when it still made the tables of the features that are core plugins of their own now. */
const recordedBefore = [
  '0001_plugins.ts',
  '0002_plugin_schedules.ts',
  '0003_plugin_dead_events.ts',
  '0003_plugin_usage.ts',
  '0004_plugin_lifecycle.ts',
  '0005_plugin_upgrades.ts',
  '0006_plugin_backups.ts',
  '0007_plugin_choices.ts',
  '0008_plugin_sources.ts',
  '0009_plugin_licences.ts',
  '0010_changes.ts',
  '0010_plugin_hosts.ts',
  '0011_plugin_operation_told.ts',
  '0012_publisher_beliefs.ts',
  '0013_operation_ends.ts',
  '0013_plugin_licence_words.ts',
]

interface Recorded {
  readonly plugin: string
  readonly name: string
}

/** What does over what `plugins` had done before, and finds it done. */
const doneAnew: ReadonlySet<string> = new Set([
  'plugin_events/0001_plugin_events.ts',
  'plugin_index/0010_source_changes.ts',
])

/** Whether a migration was written after the features had become core plugins of their own. */
function isLater({ plugin, name }: Recorded): boolean {
  if (plugin === 'plugins') return !recordedBefore.includes(name)
  const { inherited } = corePlugins.find((each) => each.name === plugin) ?? {}
  return inherited?.migrations[name] === undefined && !doneAnew.has(`${plugin}/${name}`)
}

const migrations = path.join(checkout, 'kernel', 'data', 'migrations')
const family = /^plugins$|^plugin_/

describe('a database whose tables of plugins were all made by the core plugin plugins', () => {
  it('goes on: nothing is refused, nothing runs again, and everything is recorded where it belongs', async () => {
    await using database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    await using opened = await openDatabase({ url: database.url, poolSize: 1, log: silentLog })
    const { knex } = opened
    const records = () => knex('schema_migrations').orderBy(['plugin', 'name']).select<Recorded[]>('plugin', 'name')
    const made = await records()
    const triggers = () =>
      knex('pg_trigger')
        .whereRaw(`tgrelid = 'plugin_sources'::regclass and not tgisinternal`)
        .orderBy('tgname')
        .pluck('tgname')
    const noted: unknown = await triggers()
    await knex('schema_migrations').whereRaw(`plugin like 'plugin\\_%' or plugin = 'plugins'`).delete()
    const later = made.filter((record) => family.test(record.plugin) && isLater(record))
    const before = recordedBefore.map((name) => ({ plugin: 'plugins', name }))
    await knex('schema_migrations').insert([...before, ...later].map(({ plugin, name }) => ({ plugin, name })))
    await knex('plugin_publishers').insert({ publisher: 'acme', kid: 'acme-1', public_key: 'k', level: 'verified' })

    await refuseNewerSchema(knex, [{ name: 'kernel', migrations }, ...corePlugins], true)
    {
      await using host = await startTestKernel({ plugins: corePlugins, databaseUrl: database.url })
      assert.equal((await host.api.get('/api/public/health')).status, 200)
    }
    const after = (await records()).filter(({ plugin }) => family.test(plugin))
    const expected = new Set([
      ...made.filter(({ plugin }) => family.test(plugin)).map(({ plugin, name }) => `${plugin}/${name}`),
      ...recordedBefore.map((name) => `plugins/${name}`),
    ])
    assert.deepEqual(new Set(after.map(({ plugin, name }) => `${plugin}/${name}`)), expected)
    assert.equal((await knex('plugin_publishers')).length, 1)
    assert.deepEqual(await triggers(), noted)
  })
})
