// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { storageVolumes } from '../../../core-plugins/storage/contract.ts'
import { up } from '../../../core-plugins/storage/migrations/0005-discard-jobs.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { platformToken } from '../../support/plain-identity.ts'
import { createTenant } from '../../support/platform.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { discardsIn, hurryDiscards, plugins, read, rowsOf, storageOf } from '../../support/storage.ts'
import { setGroup, setupStorageWorld, type StorageWorld } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'

describe('bytes with a service that cannot be listed', () => {
  let world: StorageWorld
  before(async () => {
    world = await setupStorageWorld()
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.s3.forget())

  const noted = () => discardsIn(world.platform.host.kernel.database.knex)
  const bytes = async () => (await world.s3.state()).objects.length

  it('are deleted later when they could not be deleted at once', async () => {
    const store = storageOf(world.platform.host).open('swept', 1)
    await store.put('k', Buffer.from('x'))
    assert.deepEqual(await noted(), [])
    await world.s3.fail({ on: 'delete', kind: 'status', status: 403, code: 'AccessDenied', times: 1_000 })
    assert.equal(await store.delete('k'), true)
    let tries = 0
    // What was seen is told once.
    await until(async () => (tries += (await world.s3.state()).seen.filter((call) => call === 'delete').length) > 1)
    assert.deepEqual([(await noted()).length, await bytes()], [1, 1])
    await world.s3.fail()
    await until(async () => (await noted()).length === 0)
    assert.equal(await bytes(), 0)
  })

  it('that a put left behind go a day later, and those that a row knows stay', async () => {
    const { knex } = world.platform.host.kernel.database
    const store = storageOf(world.platform.host).open('swept', 2)
    await world.s3.fail({ on: 'put', kind: 'status', status: 403, code: 'AccessDenied' })
    await assert.rejects(store.put('k', Buffer.from('x')), { code: 5022 })
    const [left] = await noted()
    const hours = (Number(left?.run_at) - Date.now()) / 3_600_000
    assert.ok(hours > 23 && hours < 25)
    const kept = await store.put('kept', Buffer.from('x'))
    const [row] = (await rowsOf(knex)) as readonly { location: string }[]
    const place = { storageRef: kept.storageRef, location: row?.location }
    const queue = world.platform.host.kernel.services.get(jobs)
    await knex.transaction((trx) => queue.enqueue(trx, 'storage.discard', { places: [place] }, { delay: 1 }))
    await hurryDiscards(knex)
    await until(async () => (await noted()).length === 0)
    assert.equal(await read(store, 'kept'), 'x')
  })

  it('of which parts alone were there are gone with them, and parts of others stay', async () => {
    const { host } = world.platform
    const { knex } = host.kernel.database
    const store = storageOf(host).open('swept', 3)
    const denied = { kind: 'status', status: 403, code: 'AccessDenied' } as const
    await world.s3.fail({ on: 'part', ...denied }, { on: 'abort', ...denied })
    await assert.rejects(store.put('k', Buffer.alloc(9 * 1_048_576)), { code: 5022 })
    const [left] = await noted()
    const { volume } = await host.kernel.services.get(storageVolumes).current(3)
    await volume.multipart?.create(`${left?.locations[0] ?? ''}-other`)
    assert.equal((await world.s3.state()).uploads, 2)
    await hurryDiscards(knex)
    await until(async () => (await noted()).length === 0)
    assert.equal((await world.s3.state()).uploads, 1)
    // A service that has no list of them is as good as one where there are none.
    await world.s3.fail({ on: 'put', ...denied }, { on: 'uploads', ...denied, status: 501, code: 'NotImplemented' })
    await assert.rejects(store.put('k', Buffer.from('x')), { code: 5022 })
    await hurryDiscards(knex)
    await until(async () => (await noted()).length === 0)
  })

  it('that waited when the platform was upgraded are deleted', async () => {
    await using host = await startTestKernel({ plugins })
    const { knex: db } = host.kernel.database
    await db.schema.createTable('storage_discards', (table) => {
      table.text('location').primary()
      table.text('storage_ref').notNullable()
      table.timestamp('due_at').notNullable()
    })
    const location = '00/00000000-0000-4000-8000-000000000000'
    const file = path.join(host.dataDir, 'storage', location)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, 'x')
    const due = { storage_ref: 'local', location, due_at: new Date(0) }
    const later = { ...due, location: 'later', due_at: new Date(Date.now() + 3_600_000) }
    await db('storage_discards').insert([due, later])
    await db.transaction((trx) => up(trx))
    await until(async () => (await discardsIn(db)).length === 1)
    assert.deepEqual((await discardsIn(db))[0]?.locations, ['later'])
    await assert.rejects(access(file), { code: 'ENOENT' })
  })

  it('go with their tenant', async () => {
    const { id } = await createTenant(world.admin, 'leaver')
    const store = storageOf(world.platform.host).open('files', id)
    await store.put('a', Buffer.from('x'))
    await storageOf(world.platform.host).open('plugins/acme.notes', id).put('b', Buffer.from('x'))
    assert.equal((await world.s3.state()).objects.length, 2)
    const answer = await world.admin.delete(`/admin/tenants/${id}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await until(async () => (await world.s3.state()).objects.length === 0)
    assert.equal(await store.stat('a'), undefined)
  })
})

describe('the settings of places that are left', () => {
  it('come under a new key of the ring at the next start, and need the old one no longer', async () => {
    await using database = await createTestDatabase()
    const [old, fresh] = [generateFernetKey(), generateFernetKey()]
    await using s3 = await startS3Server()
    const env = { APP_SECRET: randomBytes(32).toString('base64url'), EGRESS_ALLOW_PRIVATE: `localhost:${s3.port}` }
    const start = (...keys: readonly string[]) =>
      startTestKernel({ plugins, databaseUrl: database.url, env: { ...env, CONFIG_FERNET_KEYS: keys.join(',') } })
    {
      await using first = await start(old)
      const admin = first.api.as(platformToken('platform_config:*'))
      await setGroup(admin, 'platform_storage', { storage_driver: 's3', storage_config: s3.config() })
      await storageOf(first).open('files', 0).put('k', Buffer.from('x'))
      await setGroup(admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
    }
    {
      await using rekeyed = await start(fresh, old)
      assert.equal(await read(storageOf(rekeyed).open('files', 0), 'k'), 'x')
    }
    await using later = await start(fresh)
    assert.equal(await read(storageOf(later).open('files', 0), 'k'), 'x')
  })
})
