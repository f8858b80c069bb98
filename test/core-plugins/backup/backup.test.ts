// @both-back-ends
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '#kernel'
import { Api } from '../../support/api.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { startPlatform } from '../../support/platform.ts'
import { pluginRoles } from '../../support/plugin-roles.ts'
import {
  countRows,
  getFile,
  putFile,
  read,
  runBackup,
  setupBackupWorld,
  write,
  type BackupWorld,
  type Ended,
} from './world.ts'

describe('npm run backup and restore', () => {
  let world: BackupWorld

  before(async () => {
    world = await setupBackupWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('bring a platform that was written to meanwhile onto another server and folder, where it runs with nobody mending anything', async () => {
    const { owner, admin, folder } = world
    const target = path.join(folder, 'whole')
    const stop = new AbortController()
    let written = 0
    const writing = (async () => {
      for (; !stop.signal.aborted; written++) {
        await write(owner, `entry ${written}`)
        // The same key: the bytes before are left behind each time, and may not go while they are copied.
        await putFile(owner, 'busy.txt', `content ${written}`)
      }
    })()
    const made = await world.command('backup', ['--to', target])
    stop.abort()
    await writing
    assert.equal(made.code, 0, made.stderr)
    assert.ok(written > 0)
    await using elsewhere = await startElsewhere()
    const env = { ...world.env, DATABASE_URL: elsewhere.url, DATA_DIR: elsewhere.dataDir }
    const restored = await runBackup('restore', ['--from', target], env)
    assert.equal(restored.code, 0, restored.stderr)
    await using platform = await startPlatform({
      databaseUrl: elsewhere.url,
      env: env,
    })
    const { knex } = platform.host.kernel.database
    assert.equal((await pluginRoles(knex)).length, 1)
    // The sessions of before, at the new host.
    const there = owner.at(platform.host.url)
    const { texts, key } = await read(there)
    assert.equal(key, 'sealed and kept')
    assert.equal(await getFile(there, 'first.txt'), 'the content of the first')
    assert.match((await getFile(there, 'busy.txt')) ?? 'content 0', /^content \d+$/)
    // A prefix of what was written, without a gap: the rows of one moment.
    assert.deepEqual(texts, ['the first', ...Array.from({ length: texts.length - 1 }, (_, index) => `entry ${index}`)])
    await write(there, 'after')
    assert.equal((await read(there)).texts.at(-1), 'after')
    assert.equal((await new Api(platform.host.url, admin.token).get('/admin/tenants')).status, 200)
  })

  it('bring every row of every table back, as a second backup of the copy shows', async () => {
    const target = path.join(world.folder, 'counted')
    assert.equal((await world.command('backup', ['--to', target])).code, 0)
    const before = await countRows(world.platform.host.kernel.database.knex)
    await using database = await createTestDatabase()
    const env = { ...world.env, DATABASE_URL: database.url, DATA_DIR: path.join(world.folder, 'copy') }
    await mkdir(env.DATA_DIR)
    const restored = await runBackup('restore', ['--from', target], env)
    assert.equal(restored.code, 0, restored.stderr)
    const verified = await world.command('verify', ['--from', target])
    assert.equal(verified.code, 0, verified.stderr)
    assert.match(verified.stderr, /came back as they were/)
    const again = await runBackup('backup', ['--to', path.join(world.folder, 'counted-again')], env)
    assert.equal(again.code, 0, again.stderr)
    const rows = (text: string) => /(\d+) tables, (\d+) rows/.exec(text)?.slice(1).map(Number)
    assert.deepEqual(rows(again.stdout)?.[0], Object.keys(before).length)
  })

  it('refuse a database that is not empty or in use, and one without a platform', async () => {
    const target = path.join(world.folder, 'refused')
    assert.equal((await world.command('backup', ['--to', target])).code, 0)
    refused(await world.command('restore', ['--from', target]), /A host of the platform runs on this database/)
    await using empty = await createTestDatabase()
    const env = { ...world.env, DATABASE_URL: empty.url }
    refused(await runBackup('backup', ['--to', target], env), /There is no platform in this database/)
    const ended = await runBackup('restore', ['--from', target], env)
    assert.equal(ended.code, 0, ended.stderr)
    refused(await runBackup('restore', ['--from', target], env), /The database is not empty/)
    const forced = await runBackup('restore', ['--from', target, '--force'], env)
    assert.equal(forced.code, 0, forced.stderr)
  })

  it('refuse keys that open nothing of the backup', async () => {
    const target = path.join(world.folder, 'refused')
    await using empty = await createTestDatabase()
    const env = { ...world.env, DATABASE_URL: empty.url, CONFIG_FERNET_KEYS: Buffer.alloc(32, 7).toString('base64url') }
    refused(await runBackup('restore', ['--from', target], env), /CONFIG_FERNET_KEYS has none of the keys/)
  })
})

function refused({ code, stderr }: Ended, words: RegExp): void {
  assert.equal(code, 1)
  assert.match(stderr, words)
  assert.doesNotMatch(stderr, /\n\s+at /)
}

/** A PostgreSQL that has never seen the platform, with a data folder beside it. */
async function startElsewhere(): Promise<{ readonly url: string; readonly dataDir: string } & AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const root = await mkdtemp(path.join(tmpdir(), 'stoa-elsewhere-'))
  started.defer(() => rm(root, { recursive: true, force: true }))
  await chmod(root, 0o711)
  const dataDir = path.join(root, 'data')
  const settings = { fsync: 'off' }
  const { url } = started.use(await startEmbeddedPostgres({ dataDir: root, log: silentLog, settings }))
  const stack = started.move()
  return { url, dataDir, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
