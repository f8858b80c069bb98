import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deleteBackups, listExpired } from '../../../core-plugins/backup/prune.ts'
import { BackupTarget } from '../../../core-plugins/backup/target/backup-target.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { createLocalDriver } from '../../../core-plugins/storage/drivers/local/local-driver.ts'
import type { Body } from '../../support/api.ts'
import { createUser, dataOf, refusalOf } from '../../support/platform.ts'
import { setGroup } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'
import { putFile, setupBackupWorld, type BackupWorld } from './world.ts'

const everybody = { tenant: 'all' } as const

describe('backups that a host makes', () => {
  let world: BackupWorld

  before(async () => {
    world = await setupBackupWorld()
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
    const schedules = () =>
      knex('job_schedules').queryContext(everybody).where({ name: 'backup' }).select<{ next_at: Date }[]>()
    assert.deepEqual(await schedules(), [])
    const scheduled = async () => (await list()).filter(({ trigger }) => trigger === ('schedule' as unknown))
    const target = path.join(world.folder, 'scheduled')
    const values = { backup_target: target, backup_passphrase: '', backup_cron: '30 3 * * *' }
    // One that is new makes up for its latest time.
    await setGroup(admin, 'platform_backup', { ...values, backup_enabled: true })
    await until(async () => (await scheduled())[0]?.['state'] === ('succeeded' as unknown), 120_000)
    const made = dataOf(await admin.get('/admin/jobs?kind=backup.make&state=done'))['items'] as unknown as Body[]
    assert.deepEqual([made[0]?.['percent'], made[0]?.['key']], [100, 'backup'])
    assert.match(made[0]?.['progress'] as unknown as string, /^files: /)
    assert.ok((await schedules())[0]!.next_at > new Date())
    // The same time does not come again when the settings are changed, nor when several hosts find it due.
    await setGroup(admin, 'platform_backup', { backup_enabled: false })
    await until(async () => (await schedules()).length === 0)
    await setGroup(admin, 'platform_backup', { backup_enabled: true })
    const ends = async () => dataOf(await admin.get('/admin/jobs?kind=backup.make&state=done'))['total'] as unknown
    await until(async () => (await ends()) === made.length + 1)
    assert.equal((await scheduled()).length, 1)
    await setGroup(admin, 'platform_backup', { backup_enabled: false })
  })

  it('are over when somebody cancels their job, and are made when it is tried again', async () => {
    const { admin, platform } = world
    const { knex } = platform.host.kernel.database
    // Another one is before it in the queue.
    const queue = platform.host.kernel.services.get(jobs)
    const later = { key: 'backup', delay: 86_400_000 }
    const first = await knex.transaction((trx) => queue.enqueue(trx, 'backup.make', {}, later))
    const asked = dataOf(await admin.post('/admin/backups'))
    assert.equal(refusalOf(await admin.post('/admin/backups')).reason, 'backup_running')
    const held = dataOf(await admin.get('/admin/jobs?kind=backup.make&state=held'))['items'] as unknown as Body[]
    const id = held[0]?.['id'] as unknown as number
    dataOf(await admin.post(`/admin/jobs/${id}/cancel`))
    const found = async () => (await list()).find((run) => run['id'] === asked['id'])
    assert.deepEqual([(await found())?.['state'], (await found())?.['error']], ['failed', 'It was cancelled'])
    const chinese = dataOf(await admin.get('/admin/backups', { headers: { 'accept-language': 'zh-CN' } }))['items']
    assert.equal((chinese as unknown as readonly Body[]).find(({ id: of }) => of === asked['id'])?.['error'], '已取消')
    dataOf(await admin.post(`/admin/jobs/${first}/cancel`))
    dataOf(await admin.post(`/admin/jobs/${id}/retry`))
    await until(async () => (await found())?.['state'] === ('succeeded' as unknown), 120_000)
  })

  it('are made by another host when theirs dies over them', async () => {
    const { admin, platform } = world
    const { knex } = platform.host.kernel.database
    const asked = dataOf(await admin.post('/admin/backups'))
    await ended()
    const jobs = () => knex('jobs').queryContext(everybody).where({ kind: 'backup.make' })
    // The run is over before its job is.
    await until(async () => !(await jobs().where({ state: 'running' }).first()))
    // What a host leaves that died before it could write the end.
    await knex('backup_runs').where({ id: asked['id'] }).update({ state: 'running', finished_at: null })
    const [last] = await jobs().orderBy('id', 'desc').limit(1).select<{ id: string }[]>('id')
    const left = { state: 'running', host: 'dead', leased_until: new Date(0), finished_at: null, forget_at: null }
    await knex('jobs').queryContext(everybody).where({ id: last!.id }).update(left)
    const run = await ended()
    assert.deepEqual([run['id'], run['state']], [asked['id'], 'succeeded'])
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
