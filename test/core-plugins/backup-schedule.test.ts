import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deleteBackups, listExpired } from '../../core-plugins/backup/prune.ts'
import { BackupRuns } from '../../core-plugins/backup/runs/backup-runs.ts'
import { latestTime } from '../../core-plugins/backup/runs/plan.ts'
import { BackupTarget } from '../../core-plugins/backup/target/backup-target.ts'
import { createLocalDriver } from '../../core-plugins/storage/drivers/local/local-driver.ts'
import type { Body } from '../support/api.ts'
import { createUser, dataOf, refusalOf } from '../support/platform.ts'
import { setGroup } from '../support/storage-world.ts'
import { until } from '../support/until.ts'
import { putFile, startBackupWorld, type BackupWorld } from './backup-world.ts'

describe('backups that a host makes', function () {
  this.timeout(240_000)
  let world: BackupWorld

  before(async () => {
    world = await startBackupWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const list = async () => dataOf(await world.admin.get('/admin/backups'))['items'] as unknown as readonly Body[]
  const ended = async (): Promise<Body> => {
    await until(async () => (await list())[0]?.['state'] !== ('running' as unknown), 120_000)
    return (await list())[0]!
  }

  it('begin when somebody asks who may, to the place of the settings, and are listed', async () => {
    const { admin, owner } = world
    const user = await createUser(owner, 'acme', ['tenant_user:list'])
    assert.equal((await user.get('/admin/backups')).status, 403)
    assert.deepEqual(refusalOf(await admin.post('/admin/backups')), {
      status: 409,
      code: 4094,
      reason: 'backup_no_target',
    })
    const target = path.join(world.folder, 'asked')
    await setGroup(admin, 'platform_backup', { backup_target: target, backup_passphrase: 'correct horse battery' })
    assert.equal(dataOf(await admin.post('/admin/backups'))['state'], 'running')
    const run = await ended()
    assert.deepEqual([run['state'], run['error'], run['trigger']], ['succeeded', null, 'request'])
    assert.ok(Number(run['rows']) > 0)
    assert.equal(Number(run['files']), 1)
    const verified = await world.command('verify', ['--from', target], { BACKUP_PASSPHRASE: 'correct horse battery' })
    assert.match(verified.stdout, new RegExp(`${run['backup'] as unknown as string} .* is whole`), verified.stderr)
    const log = dataOf(await admin.get('/admin/audit-logs?limit=200'))['items'] as unknown as readonly Body[]
    const actions = log
      .map(({ action }) => action as unknown as string)
      .filter((action) => action.startsWith('platform_backup.'))
    assert.deepEqual(actions, ['platform_backup.made', 'platform_backup.requested'])
  })

  it('are told to administrators when they fail', async () => {
    const { admin } = world
    const file = path.join(world.folder, 'a-file')
    await writeFile(file, '')
    await setGroup(admin, 'platform_backup', { backup_target: path.join(file, 'below') })
    dataOf(await admin.post('/admin/backups'))
    const run = await ended()
    assert.equal(run['state'], 'failed')
    const told = async () => dataOf(await admin.get('/notifications'))['items'] as unknown as readonly Body[]
    await until(async () => (await told()).length > 0)
    assert.deepEqual([(await told())[0]?.['title'], (await told())[0]?.['level']], ['A backup failed', 'error'])
  })

  it('come once over all hosts at each time of the schedule, whose settings must make sense', async () => {
    const { admin, platform } = world
    const refused = await admin.put('/configs/groups/platform_backup', { backup_cron: '0 0 30 2 *' })
    assert.equal(refusalOf(refused).code, 4222)
    const { knex } = platform.host.kernel.database
    const runs = new BackupRuns(knex, { record: () => Promise.resolve(), deleteBefore: () => Promise.resolve(0) })
    const slot = new Date('2026-11-22T03:30:00Z')
    const taken = await Promise.all(Array.from({ length: 8 }, () => runs.takeSlot(slot, '/nowhere')))
    const [run, ...others] = taken.filter((each) => each !== undefined)
    assert.deepEqual(others, [])
    await runs.fail(run!, 'enough')
    assert.equal(await runs.takeSlot(slot, '/nowhere'), undefined)
    const plan = { cron: '30 3 * * *', timezone: 'Asia/Shanghai' }
    assert.deepEqual(latestTime(plan, new Date('2026-11-22T12:00:00Z')), new Date('2026-11-21T19:30:00Z'))
  })

  it('go when their time is over, with what no other backup has and nothing else', async () => {
    const root = path.join(world.folder, 'kept')
    const made = async (): Promise<string> => {
      const { stdout, stderr } = await world.command('backup', ['--to', root])
      assert.match(stdout, /rows/, stderr)
      return stdout.split(':')[0]!
    }
    const first = await made()
    await putFile(world.owner, 'new.txt', 'only in the second')
    const second = await made()
    const target = await BackupTarget.open(createLocalDriver('/').open({ root }, 'platform'), undefined)
    const before = (await readdir(path.join(root, 'files'), { recursive: true })).length
    const gone = (await target.list()).filter(({ id }) => id === first)
    // Whoever may not be alone any more deletes nothing.
    const isLost = new Error('lost')
    await assert.rejects(
      deleteBackups(target, gone, () => Promise.reject(isLost)),
      isLost,
    )
    assert.equal((await target.list()).length, 2)
    let asked = 0
    await deleteBackups(target, gone, () => Promise.resolve(void asked++))
    assert.ok(asked > 1, 'the lock is confirmed before each deletion')
    assert.deepEqual(
      (await target.list()).map(({ id }) => id),
      [second],
    )
    assert.equal((await readdir(path.join(root, 'files'), { recursive: true })).length, before)
    assert.equal((await world.command('verify', ['--from', root])).code, 0)
  })

  it('stay as many days and weeks as the settings say', () => {
    const day = (n: number) => ({ id: String(n), made_at: new Date(Date.UTC(2026, 10, n, 3, 30)).toISOString() })
    const all = Array.from({ length: 28 }, (_, index) => day(index + 1))
    const gone = listExpired([...all, { id: 'twice', made_at: '2026-11-28T01:00:00.000Z' }], { days: 3, weeks: 3 })
    const kept = [15, 22, 26, 27, 28].map(String)
    assert.deepEqual(
      all.map(({ id }) => id).filter((id) => !gone.some((each) => each.id === id)),
      kept,
    )
    assert.ok(gone.some(({ id }) => id === 'twice'))
    assert.deepEqual(listExpired([day(1)], { days: 1, weeks: 0 }), [])
  })
})
