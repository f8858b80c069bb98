// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import knex, { type Knex } from 'knex'
import { corePlugins } from '../../../core-plugins/index.ts'
import { OperationTakenOverError } from '../../../core-plugins/plugins/shared/errors.ts'
import { acquirePluginLock } from '../../../core-plugins/plugins/operations/plugin-lock.ts'
import { Api } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { startHostProcess, type HostProcess } from '../../support/host-process.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

const credentials = { email: 'admin@stoa.test', password: 'a long enough passphrase' }

describe('a host that is killed', () => {
  let database: TestDatabase
  let db: Knex
  let dataDir: string

  before(async () => {
    database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 2 } })
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-killed-'))
  })
  after(async () => {
    await db.destroy()
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<{ host: HostProcess; admin: Api }> {
    const env = { DATABASE_URL: database.url, ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password }
    const host = await startHostProcess({ dataDir, env: { ...env, STOA_DEMO: '0' } })
    const api = new Api(host.url)
    await until(async () => (await api.post('/admin/auth/login/json', credentials)).status === 200)
    const { access_token: token } = dataOf(await api.post('/admin/auth/login/json', credentials))
    return { host, admin: api.as(token) }
  }

  async function untilStep(plugin: string, step: string): Promise<void> {
    await until(async () => (await db('plugin_operations').where({ plugin, step, state: 'running' })).length === 1)
  }

  it('within an install leaves nothing of it after the next start, and the same package installs', async () => {
    const hooks = { hooks: { selfTest: 'check' } }
    const stuck = await packSmall(
      'acme.stuck',
      hooks,
      '{ handlers: {}, hooks: { check: () => new Promise(() => {}) } }',
    )
    const first = await start()
    const sent = upload(first.admin, stuck).catch(() => undefined)
    await untilStep('acme.stuck', 'load_test')
    await first.host.kill()
    await sent
    const second = await start()
    await using host = second.host
    assert.ok(host.pid > 0)
    await until(
      async () => (await db('plugin_operations').where({ plugin: 'acme.stuck', state: 'aborted' })).length === 1,
    )
    assert.deepEqual(await filesIn(dataDir, 'packages'), [])
    assert.deepEqual(await filesIn(dataDir, 'staging'), [])
    assert.deepEqual(await db('plugin_releases'), [])
    dataOf(await upload(second.admin, await packSmall('acme.stuck')), 201)
    dataOf(await second.admin.delete('/plugins/acme.stuck?purge=true'))
  })

  it('within an uninstall goes on with it at the next start, from the step where it was', async () => {
    // It hangs once: the second time it finds what it has written.
    const bye = `async bye(_, { storage }) {
      if (await storage.get('seen')) return
      await storage.put('seen', 'yes')
      await new Promise(() => {})
    }`
    const more = { capabilities: ['storage'], reasons: { storage: 'Remembers.' }, hooks: { uninstall: 'bye' } }
    const zip = await packSmall('acme.slow', more, `{ handlers: {}, hooks: { ${bye} } }`)
    const first = await start()
    await installAndEnable(first.admin, zip)
    const sent = first.admin.delete('/plugins/acme.slow?purge=true').catch(() => undefined)
    await untilStep('acme.slow', 'hook')
    await until(async () => {
      const { rows } = await db.transaction(async (trx) => {
        await trx.raw(`select set_config('stoa.tenant_id', 'all', true)`)
        return trx.raw<{ rows: object[] }>('select 1 from storage_objects')
      })
      return rows.length === 1
    })
    await first.host.kill()
    await sent
    const second = await start()
    await using host = second.host
    assert.ok(host.pid > 0)
    const done = { plugin: 'acme.slow', kind: 'uninstall', state: 'succeeded' }
    await until(async () => (await db('plugin_operations').where(done)).length === 1)
    const { steps } = await db('plugin_operations').where(done).first<{ steps: { step: string; result: object }[] }>()
    assert.equal(steps.length, 14)
    assert.deepEqual(steps.find(({ step }) => step === 'hook')?.result, { ok: true })
    assert.deepEqual(await db('plugins'), [])
    assert.deepEqual(await filesIn(dataDir, 'packages'), [])
    assert.equal(refusalOf(await second.admin.get('/plugins/acme.slow')).code, 4046)
  })
})

describe('the lock of a plugin', () => {
  let platform: Platform
  let db: Knex

  before(async () => {
    platform = await startPlatform()
    db = platform.host.kernel.database.knex
  })
  after(() => platform[Symbol.asyncDispose]())

  it('goes to another holder when it expires, and the first one can write nothing more', async () => {
    const request = { plugin: 'acme.fenced', operationId: randomUUID(), holder: 'one' }
    await using first = await acquirePluginLock(db, request, silentLog)
    await db.transaction((trx) => first.guard(trx))
    await assert.rejects(acquirePluginLock(db, { ...request, holder: 'two' }, silentLog), { code: 4092 })
    await db('plugin_locks').update({ expires_at: db.raw(`now() - interval '1 s'`) })
    await using second = await acquirePluginLock(db, { ...request, holder: 'two' }, silentLog)
    assert.ok(Number(second.fencing) > Number(first.fencing))
    await assert.rejects(
      db.transaction((trx) => first.guard(trx)),
      OperationTakenOverError,
    )
    await db.transaction((trx) => second.guard(trx))
    // Whose transaction lasts longer than the lock lives is still there, and others are told so at once.
    await db.transaction(async (trx) => {
      await second.guard(trx)
      await trx('plugin_locks').update({ expires_at: trx.raw(`now() - interval '1 s'`) })
      await assert.rejects(acquirePluginLock(db, { ...request, holder: 'three' }, silentLog), { code: 4092 })
      await second.guard(trx)
    })
    await assert.rejects(acquirePluginLock(db, { ...request, holder: 'three' }, silentLog), { code: 4092 })
  })

  it('that nobody holds lets a committed operation be finished by whoever finds it', async () => {
    await installAndEnable(platform.admin, await packSmall('acme.left'))
    const id = randomUUID()
    const steps = JSON.stringify([{ step: 'commit', at: '', result: { generation: 1 } }])
    const row = { plugin: 'acme.left', kind: 'disable', committed: true, fencing: 0 }
    await db('plugin_operations').insert({ id, ...row, steps })
    await until(async () => (await db('plugin_operations').where({ id, state: 'succeeded' })).length === 1)
  })

  it('that a dead host held is taken over by the next operation, which first ends the other', async () => {
    await installAndEnable(platform.admin, await packSmall('acme.dead'))
    const id = randomUUID()
    await db('plugin_operations').insert({ id, plugin: 'acme.dead', kind: 'disable', fencing: 0 })
    const expired = { holder: 'dead', fencing: 0, expires_at: db.raw(`now() - interval '1 s'`) }
    await db('plugin_locks').insert({ plugin: 'acme.dead', operation_id: id, ...expired })
    assert.equal(dataOf(await platform.admin.post('/plugins/acme.dead/disable'))['status'], 'installed')
    const { state } = await db('plugin_operations').where({ id }).first<{ state: string }>()
    assert.equal(state, 'aborted')
  })
})

async function filesIn(dataDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
