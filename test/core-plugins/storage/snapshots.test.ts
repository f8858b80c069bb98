import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { definePlugin, tenantsDeleted } from '#kernel'
import type { ObjectSnapshots, ObjectStorage } from '../../../core-plugins/storage/contract.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { discardsIn, filesBelow, plugins, read, reasonOf, storageOf } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

const namespace = 'plugins/acme.shots'

describe('a snapshot of objects', () => {
  let host: TestKernel
  let storage: ObjectStorage
  let snapshots: ObjectSnapshots
  let deleteTenant: (tenantId: number) => Promise<unknown>
  const tenants = definePlugin({
    name: 'tenants',
    version: '1.0.0',
    title: { default: 'Tenants' },
    description: { default: 'Says that a tenant is gone' },
    setup(scope) {
      deleteTenant = (tenantId) => scope.emit(tenantsDeleted, { tenantId })
    },
  })
  before(async () => {
    host = await startTestKernel({ plugins: [...plugins, tenants] })
    storage = storageOf(host)
    snapshots = storage.snapshots
  })
  after(() => host[Symbol.asyncDispose]())
  afterEach(async () => {
    for (const name of await snapshots.names()) await drop(name)
    await storage.clear(namespace)
    assert.deepEqual(await filesBelow(path.join(host.dataDir, 'storage')), [])
  })

  const store = (tenantId = 1) => storage.open(namespace, tenantId)
  const restore = (name: string) =>
    host.kernel.database.knex.transaction((trx) => snapshots.restore(namespace, name, trx))
  async function drop(name: string): Promise<void> {
    await host.kernel.database.knex.transaction((trx) => snapshots.drop(name, trx))
    await snapshots.sweep()
  }

  it('copies nothing, and gives back what was replaced and deleted since, of every tenant', async () => {
    for (const tenantId of [0, 1]) await store(tenantId).put('replaced', Buffer.from(`old ${tenantId}`))
    await store().put('deleted', Buffer.from('gone'), { contentType: 'text/plain' })
    const files = await filesBelow(path.join(host.dataDir, 'storage'))
    assert.deepEqual(await snapshots.take(namespace, 's'), { bytes: 14, objects: 3 })
    assert.deepEqual(await filesBelow(path.join(host.dataDir, 'storage')), files)
    for (const tenantId of [0, 1]) await store(tenantId).put('replaced', Buffer.from('new'))
    await store().delete('deleted')
    await store().put('added', Buffer.from('later'))
    await snapshots.verify('s')
    assert.deepEqual(await restore('s'), { bytes: 14, objects: 3 })
    assert.deepEqual(await Promise.all([0, 1].map((id) => read(store(id), 'replaced'))), ['old 0', 'old 1'])
    assert.equal((await store().stat('deleted'))?.contentType, 'text/plain')
    assert.deepEqual([await read(store(), 'deleted'), await read(store(), 'added')], ['gone', undefined])
    await snapshots.sweep()
    assert.deepEqual([...(await filesBelow(path.join(host.dataDir, 'storage')))].sort(), [...files].sort())
  })

  it('keeps the bytes of a namespace that is cleared, until it is dropped itself', async () => {
    await store().put('a', Buffer.from('one'))
    for (const name of ['first', 'second']) await snapshots.take(namespace, name)
    await storage.clear(namespace)
    await drop('first')
    const listed = await Array.fromAsync(snapshots.list('second'))
    assert.deepEqual(
      listed.map(({ tenantId, key, size }) => [tenantId, key, size]),
      [[1, 'a', 3]],
    )
    const [object] = listed
    assert.ok(object)
    assert.equal((await buffer(await snapshots.open(object, 'second'))).toString(), 'one')
    await drop('second')
    assert.deepEqual(await filesBelow(path.join(host.dataDir, 'storage')), [])
  })

  it('leaves objects out whose time is over by then', async () => {
    await store().put('brief', Buffer.from('x'), { ttlSeconds: 1 })
    await store().put('lasting', Buffer.from('y'))
    await snapshots.take(namespace, 's')
    await until(async () => (await store().stat('brief')) === undefined)
    assert.deepEqual(await restore('s'), { bytes: 1, objects: 1 })
  })

  it('says when bytes of it are gone', async () => {
    await store().put('a', Buffer.from('one'))
    await snapshots.take(namespace, 's')
    for (const file of await filesBelow(path.join(host.dataDir, 'storage'))) await rm(file)
    assert.deepEqual(await reasonOf(snapshots.verify('s')), [5003, undefined])
  })

  it('loses what a tenant had when the tenant goes', async () => {
    for (const tenantId of [1, 2]) await store(tenantId).put('a', Buffer.from('one'))
    await snapshots.take(namespace, 's')
    await deleteTenant(2)
    await until(async () => (await Array.fromAsync(snapshots.list('s'))).length === 1)
  })

  it("of thousands of objects is as few statements as one of ten, and so is its end; what did not change is nobody else's work", async () => {
    const { knex } = host.kernel.database
    const fill = (from: number, to: number) =>
      knex
        .raw(
          `insert into storage_objects
             (id, tenant_id, namespace, key, size, sha256, content_type, driver, location, storage_ref)
           select gen_random_uuid(), 1, ?, 'k' || n, 1000000, '', 'text/plain', 'local', 'aa/' || gen_random_uuid(), 'local'
             from generate_series(?::int, ?::int) as n`,
          [namespace, from, to],
        )
        .queryContext({ tenant: 'all' })
    const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
      let count = 0
      const counting = ({ sql }: { sql: string }) => void (sql.includes('storage_') && count++)
      knex.on('query', counting)
      await work()
      knex.off('query', counting)
      return count
    }
    const life = async () => {
      await snapshots.take(namespace, 'kept')
      await snapshots.take(namespace, 's')
      await knex.transaction((trx) => snapshots.drop('s', trx))
      assert.deepEqual(await discardsIn(knex), [])
      await snapshots.sweep()
    }
    await fill(1, 10)
    const few = await statementsOf(life)
    await fill(11, 10_000)
    assert.ok(few > 0)
    assert.equal(await statementsOf(life), few)
  })

  it('that ends while an object of it is replaced leaves no bytes behind', async () => {
    await store().put('a', Buffer.from('old'))
    await snapshots.take(namespace, 's')
    let replaced: Promise<unknown> | undefined
    await host.kernel.database.knex.transaction(async (trx) => {
      await snapshots.drop('s', trx)
      replaced = store().put('a', Buffer.from('new'))
      await until(async () => (await read(store(), 'a')) === 'new')
    })
    await replaced
    await snapshots.sweep()
    assert.equal((await filesBelow(path.join(host.dataDir, 'storage'))).length, 1)
  })

  it('is safe beside those who replace objects meanwhile', async () => {
    await store().put('busy', Buffer.from('0'))
    let isOver = false
    const writing = (async () => {
      for (let n = 1; !isOver; n++) await store().put('busy', Buffer.from(String(n)))
    })()
    for (let n = 0; n < 20; n++) {
      await snapshots.take(namespace, `s${n}`)
      await snapshots.verify(`s${n}`)
    }
    isOver = true
    await writing
    for (let n = 0; n < 20; n++) await snapshots.verify(`s${n}`)
  })
})
