import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { storageVolumes } from '../../core-plugins/storage/contract.ts'
import { Discards } from '../../core-plugins/storage/objects/discards.ts'
import { sweepDiscards } from '../../core-plugins/storage/sweep.ts'
import { silentLog, startTestKernel } from '../support/kernel.ts'
import { platformToken } from '../support/plain-identity.ts'
import { createTenant } from '../support/platform.ts'
import { createTestDatabase } from '../support/cluster.ts'
import { startS3Server } from '../support/s3-server.ts'
import { plugins, read, rowsOf, storageOf } from '../support/storage.ts'
import { setGroup, startStorageWorld, type StorageWorld } from '../support/storage-world.ts'
import { until } from '../support/until.ts'

describe('bytes with a service that cannot be listed', () => {
  let world: StorageWorld
  before(async () => {
    world = await startStorageWorld()
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.s3.forget())

  function partsOf() {
    const { knex: db } = world.platform.host.kernel.database
    const volumes = world.platform.host.kernel.services.get(storageVolumes)
    return { db, log: silentLog, volumes, discards: new Discards(db), signingKey: Buffer.alloc(32), publicUrl: '' }
  }
  const noted = () => world.platform.host.kernel.database.knex('storage_discards').select('location', 'due_at')

  it('are deleted later when they could not be deleted at once', async () => {
    const store = storageOf(world.platform.host).open('swept', 1)
    await store.put('k', Buffer.from('x'))
    assert.deepEqual(await noted(), [])
    await world.s3.fail({ on: 'delete', kind: 'status', status: 403, code: 'AccessDenied', times: 2 })
    assert.equal(await store.delete('k'), true)
    assert.deepEqual([(await noted()).length, (await world.s3.state()).objects.length], [1, 1])
    await sweepDiscards(partsOf())
    assert.deepEqual([(await noted()).length, (await world.s3.state()).objects.length], [1, 1])
    await world.platform.host.kernel.database.knex('storage_discards').update({ due_at: new Date(0) })
    await sweepDiscards(partsOf())
    assert.deepEqual([await noted(), (await world.s3.state()).objects], [[], []])
  })

  it('that a put left behind go a day later, and those that a row knows stay', async () => {
    const store = storageOf(world.platform.host).open('swept', 2)
    await world.s3.fail({ on: 'put', kind: 'status', status: 403, code: 'AccessDenied' })
    await assert.rejects(store.put('k', Buffer.from('x')), { code: 5022 })
    const [left] = (await noted()) as readonly { due_at: Date }[]
    const hours = (Number(left?.due_at) - Date.now()) / 3_600_000
    assert.ok(hours > 23 && hours < 25)
    const kept = await store.put('kept', Buffer.from('x'))
    const { knex } = world.platform.host.kernel.database
    const [row] = (await rowsOf(knex)) as readonly { location: string }[]
    await new Discards(knex).note({ storageRef: kept.storageRef, location: String(row?.location) }, 0)
    await knex('storage_discards').update({ due_at: new Date(0) })
    await sweepDiscards(partsOf())
    assert.deepEqual([await noted(), await read(store, 'kept')], [[], 'x'])
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
