import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openSession } from '../../../core-plugins/backup/database/session.ts'
import { requireNoHost } from '../../../core-plugins/backup/restoring/clear-schema.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, startPlatform } from '../../support/platform.ts'
import { setGroup } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'
import { newSecrets, putFile, runBackup, setupBackupWorld, type BackupWorld } from './world.ts'

describe('a place of backups', () => {
  let world: BackupWorld
  let target: string

  before(async () => {
    world = await setupBackupWorld()
    target = path.join(world.folder, 'place')
  })
  after(() => world[Symbol.asyncDispose]())

  const list = async () => dataOf(await world.admin.get('/admin/backups'))['items'] as unknown as readonly Body[]

  async function make(): Promise<Body> {
    dataOf(await world.admin.post('/admin/backups'))
    await until(async () => (await list())[0]?.['state'] !== ('running' as unknown), 120_000)
    return (await list())[0]!
  }

  it('has no run that never ends once it is restored', async () => {
    await setGroup(world.admin, 'platform_backup', { backup_target: target, backup_keep_days: 1, backup_keep_weeks: 0 })
    const made = await make()
    assert.deepEqual([made['state'], made['error']], ['succeeded', null])
    await using database = await createTestDatabase()
    const env = { ...world.env, DATABASE_URL: database.url, DATA_DIR: path.join(world.folder, 'again') }
    const restored = await runBackup('restore', ['--from', target], env)
    assert.equal(restored.code, 0, restored.stderr)
    await using platform = await startPlatform({ databaseUrl: database.url, env })
    const there = world.admin.at(platform.host.url)
    const [run] = dataOf(await there.get('/admin/backups'))['items'] as unknown as readonly Body[]
    assert.deepEqual([run?.['state'], run?.['backup']], ['succeeded', made['backup']])
  })

  it('is written by one platform alone, and read by whoever has the passphrase', async () => {
    const { APP_SECRET } = newSecrets()
    const refused = await world.command('backup', ['--to', target], { APP_SECRET })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /This place keeps the backups of another platform/)
    const listed = await world.command('list', ['--from', target], { APP_SECRET })
    assert.equal(listed.stdout.trim().split('\n').length, 1, listed.stderr)
  })

  it('has a backup that was made although old ones could not be let go, which administrators are told', async () => {
    const [old] = await readdir(path.join(target, 'manifests'))
    const file = path.join(target, 'manifests', old!)
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, 40))
    const run = await make()
    assert.deepEqual([run['state'], run['error']], ['succeeded', null])
    const told = async () => dataOf(await world.admin.get('/notifications'))['items'] as unknown as readonly Body[]
    await until(async () => (await told()).length > 0)
    assert.equal((await told())[0]?.['title'], 'Old backups could not be deleted')
    await writeFile(file, whole)
  })

  it('gives a backup back although many of its files were gone', async () => {
    const { knex } = world.platform.host.kernel.database
    for (let each = 0; each < 25; each++) await putFile(world.owner, `gone-${each}.txt`, `content ${each}`)
    const rows = await knex('storage_objects')
      .whereLike('key', '%gone-%')
      .select<{ location: string }[]>('location')
      .queryContext({ tenant: 'all' })
    assert.equal(rows.length, 25)
    for (const { location } of rows) await rm(path.join(world.env['DATA_DIR'] ?? '', 'storage', location))
    const made = await world.command('backup', ['--to', target, '--allow-missing'])
    assert.match(made.stdout, /files that are gone: .* and 5 others/, made.stderr)
    await using database = await createTestDatabase()
    const env = { ...world.env, DATABASE_URL: database.url, DATA_DIR: path.join(world.folder, 'many') }
    const restored = await runBackup('restore', ['--from', target], env)
    assert.equal(restored.code, 0, restored.stderr)
  })

  it('is restored beside no connection of a host, of its changes or of its plugins', async () => {
    await using database = await createTestDatabase()
    await using session = await openSession(database.url, 'stoa-restore')
    await requireNoHost(session)
    for (const name of ['stoa', 'stoa-host', 'stoa changes', 'stoa acme.books']) {
      await using other = await openSession(database.url, name)
      assert.ok(other.schema)
      await assert.rejects(requireNoHost(session), /A host of the platform runs/, name)
      await other.client.end()
      await until(() =>
        requireNoHost(session).then(
          () => true,
          () => false,
        ),
      )
    }
  })
})
