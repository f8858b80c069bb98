import assert from 'node:assert/strict'
import path from 'node:path'
import { createTestDatabase } from '../../support/cluster.ts'
import { startPlatform } from '../../support/platform.ts'
import { s3Bucket, s3KeyId, s3Secret, startS3Server, type S3Server } from '../../support/s3-server.ts'
import { setGroup } from '../../support/storage-world.ts'
import { getFile, putFile, runBackup, setupBackupWorld, type BackupWorld } from './world.ts'

describe('a backup in a bucket', () => {
  let s3: S3Server
  let world: BackupWorld
  let access: Readonly<Record<string, string>>
  const place = `s3://${s3Bucket}/backups/stoa`

  before(async () => {
    s3 = await startS3Server()
    world = await setupBackupWorld({ EGRESS_ALLOW_PRIVATE: `localhost:${s3.port}` })
    access = {
      AWS_ACCESS_KEY_ID: s3KeyId,
      AWS_SECRET_ACCESS_KEY: s3Secret,
      AWS_REGION: 'eu-test-1',
      AWS_ENDPOINT_URL_S3: `http://localhost:${s3.port}`,
      BACKUP_PASSPHRASE: 'correct horse battery staple',
      // Whoever types the address may reach it.
      EGRESS_ALLOW_PRIVATE: '',
    }
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await s3[Symbol.asyncDispose]()
  })

  it('sends no file twice, is listed, verified and restored', async () => {
    await putFile(world.owner, 'second.txt', 'the second')
    const first = await world.command('backup', ['--to', place, '--encrypt'], access)
    assert.match(first.stdout, /2 files of .*, 2 sent/, first.stderr)
    await putFile(world.owner, 'third.txt', 'the third')
    const files = async () => (await s3.state()).objects.filter(({ key }) => key.includes('/files/')).length
    const before = await files()
    const second = await world.command('backup', ['--to', place, '--encrypt'], access)
    assert.match(second.stdout, /3 files of .*, 1 sent/, second.stderr)
    assert.equal(await files(), before + 1)
    const listed = await world.command('list', ['--from', place], access)
    assert.equal(listed.stdout.trim().split('\n').length, 2)
    const verified = await world.command('verify', ['--from', place], access)
    assert.equal(verified.code, 0, verified.stderr)
    const [id] = listed.stdout.split(' ')
    await using database = await createTestDatabase()
    const env = { ...world.env, ...access, DATABASE_URL: database.url, DATA_DIR: path.join(world.folder, 'elsewhere') }
    const restored = await runBackup('restore', ['--from', place, '--id', id!], env)
    assert.equal(restored.code, 0, restored.stderr)
    await using platform = await startPlatform({ databaseUrl: database.url, env })
    const there = world.owner.at(platform.host.url)
    assert.equal(await getFile(there, 'second.txt'), 'the second')
    assert.equal(await getFile(there, 'third.txt'), null)
  })

  it('has files that lie in the platform’s own bucket only when it is told so', async () => {
    const inBucket = { storage_driver: 's3', storage_config: s3.config({ prefix: 'live' }) }
    await setGroup(world.admin, 'platform_storage', inBucket)
    await putFile(world.owner, 'far.txt', 'far away')
    const without = await world.command('backup', ['--to', place, '--encrypt'], access)
    assert.match(without.stdout, /Not in it: \d+ files in buckets/, without.stderr)
    const target = path.join(world.folder, 'all')
    const env = { EGRESS_ALLOW_PRIVATE: `localhost:${s3.port}` }
    const made = await world.command('backup', ['--to', target, '--all-files'], env)
    assert.doesNotMatch(made.stdout, /files in buckets/, made.stderr)
    assert.equal(made.code, 0)
    const live = async () => (await s3.state()).objects.filter(({ key }) => key.startsWith('live/')).length
    const there = await live()
    await using database = await createTestDatabase()
    const restored = await world.command('restore', ['--from', target], { ...env, DATABASE_URL: database.url })
    assert.equal(restored.code, 0, restored.stderr)
    assert.equal(await live(), there)
  })
})
