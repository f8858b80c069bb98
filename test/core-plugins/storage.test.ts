import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, utimes, writeFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'mocha'
import type { Knex } from 'knex'
import access from '../../core-plugins/access/index.ts'
import config from '../../core-plugins/config/index.ts'
import {
  objectStorage,
  storageDrivers,
  type ObjectStorage,
  type ObjectStore,
} from '../../core-plugins/storage/contract.ts'
import { DriverTable } from '../../core-plugins/storage/drivers/driver-table.ts'
import { createLocalDriver } from '../../core-plugins/storage/drivers/local-driver.ts'
import storage from '../../core-plugins/storage/index.ts'
import { sweepExpired, sweepOrphans } from '../../core-plugins/storage/sweep.ts'
import { assertLeavesNothing, silentLog, startTestKernel, type TestKernel } from '../support/kernel.ts'
import { plainIdentity } from '../support/plain-identity.ts'

const plugins = [config, access, storage, plainIdentity]
const namespace = 'plugins/acme.reports'

function storageOf(host: TestKernel): ObjectStorage {
  return host.kernel.services.get(objectStorage)
}

async function read(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key)
  return found && (await buffer(found.content)).toString()
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

async function rowsOf(db: Knex): Promise<readonly object[]> {
  const rows: unknown = await db('storage_objects').select('*').orderBy('key').queryContext({ tenant: 'all' })
  return rows as readonly object[]
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: { code?: unknown; reason?: unknown; details?: { limit?: unknown } }) => [error.code, error.details?.limit],
  )
}

describe('storage', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins })))
  after(() => host[Symbol.asyncDispose]())

  it('keeps an object and tells everything of it', async () => {
    const store = storageOf(host).open('notes', 1)
    const content = Buffer.from('hello')
    const stored = await store.put('a/b.txt', content, { contentType: 'text/plain' })
    assert.deepEqual(stored, {
      key: 'a/b.txt',
      size: 5,
      contentType: 'text/plain',
      sha256: createHash('sha256').update(content).digest('hex'),
      createdAt: stored.createdAt,
      expiresAt: null,
    })
    assert.deepEqual(await store.stat('a/b.txt'), stored)
    assert.equal(await read(store, 'a/b.txt'), 'hello')
    assert.equal(await read(store, 'a/c.txt'), undefined)
    assert.deepEqual([await store.delete('a/b.txt'), await store.delete('a/b.txt')], [true, false])
    assert.deepEqual(await store.usage(), { bytes: 0, objects: 0 })
  })

  it('replaces an object whole, and leaves no bytes of the old one', async () => {
    const root = path.join(host.dataDir, 'storage')
    const store = storageOf(host).open('replaced', 1)
    const before = await filesBelow(root)
    await store.put('k', Readable.from(['one ', 'two']))
    const reading = await store.get('k')
    await store.put('k', Buffer.from('three'))
    assert.equal((await buffer(reading!.content)).toString(), 'one two')
    assert.equal(await read(store, 'k'), 'three')
    assert.equal((await filesBelow(root)).length, before.length + 1)
    await store.delete('k')
    assert.deepEqual(await filesBelow(root), before)
  })

  it('keeps nothing of a content that fails on its way', async () => {
    const store = storageOf(host).open('broken', 1)
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('half')
      await Promise.resolve()
      throw new Error('the sender went away')
    }
    const before = await filesBelow(path.join(host.dataDir, 'storage'))
    await assert.rejects(store.put('k', Readable.from(failing())), /the sender went away/)
    assert.equal(await store.stat('k'), undefined)
    assert.deepEqual(await filesBelow(path.join(host.dataDir, 'storage')), before)
  })

  it('shows a tenant and a namespace nothing of another', async () => {
    const objects = storageOf(host)
    await objects.open('apart', 1).put('k', Buffer.from('mine'))
    for (const other of [objects.open('apart', 2), objects.open('apart/more', 1), objects.open('apart', 0)]) {
      assert.deepEqual(
        [await read(other, 'k'), await other.delete('k'), (await other.list()).items, await other.usage()],
        [undefined, false, [], { bytes: 0, objects: 0 }],
      )
    }
    assert.equal(await read(objects.open('apart', 1), 'k'), 'mine')
  })

  it('builds no path from a key', async () => {
    const store = storageOf(host).open('keys', 1)
    const refused = [
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      './a',
      'a/.',
      'a\0b',
      'a\nb',
      '\u0085',
      'x'.repeat(513),
      '\ud800',
    ]
    for (const key of refused)
      assert.deepEqual(await reasonOf(store.put(key, Buffer.from('x'))), [4220, undefined], JSON.stringify(key))
    const taken = [
      'a',
      '...',
      '.hidden',
      'a\\..\\b',
      'C:\\x',
      '%2e%2e/x',
      'ü',
      '表/1',
      '~',
      '$(id)',
      "'; drop table x",
      'x'.repeat(512),
    ]
    for (const key of taken) await store.put(key, Buffer.from(key))
    for (const key of taken) assert.equal(await read(store, key), key)
    assert.equal(await read(store, 'u\u0308'), 'ü')
    const outside = (await filesBelow(host.dataDir)).filter(
      (file) => !/storage\/[0-9a-f]{2}\/[0-9a-f-]{36}$/.test(file),
    )
    assert.deepEqual(
      outside.map((file) => path.relative(host.dataDir, file)),
      [],
    )
  })

  it('pages through keys in their order, below a prefix', async () => {
    const store = storageOf(host).open('paged', 1)
    const keys = ['a/1', 'a/2', 'a/3', 'a_', 'b/1', 'Z']
    for (const key of keys) await store.put(key, Buffer.from('x'))
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await store.list({ limit: 2, cursor })
      pages.push(page.items.map(({ key }) => key))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual(pages, [
      ['Z', 'a/1'],
      ['a/2', 'a/3'],
      ['a_', 'b/1'],
    ])
    const below = await store.list({ prefix: 'a/' })
    assert.deepEqual([below.items.map(({ key }) => key), below.nextCursor], [['a/1', 'a/2', 'a/3'], undefined])
    assert.deepEqual((await store.list({ prefix: 'a%' })).items, [])
  })

  it('holds its limits, also when many put at once', async () => {
    const store = storageOf(host).open('limited', 1)
    const limits = { objectBytes: 10, totalBytes: 45, objects: 6 }
    assert.deepEqual(await reasonOf(store.put('big', Buffer.alloc(11), { limits })), [4297, 'object_bytes'])
    const puts = Array.from({ length: 12 }, (_, index) => store.put(`k${index}`, Buffer.alloc(10), { limits }))
    const outcomes = await Promise.allSettled(puts)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 4)
    assert.deepEqual(await store.usage(), { bytes: 40, objects: 4 })
    assert.deepEqual(await reasonOf(store.put('more', Buffer.alloc(6), { limits })), [4297, 'total_bytes'])
    for (const key of ['x', 'y']) await store.put(key, Buffer.alloc(1), { limits })
    assert.deepEqual(await reasonOf(store.put('z', Buffer.alloc(1), { limits })), [4297, 'objects'])
    const [first] = (await store.list()).items
    await store.put(first!.key, Buffer.alloc(9), { limits })
    assert.deepEqual(await store.usage(), { bytes: 41, objects: 6 })
  })

  it('ends the content of a put that has no room without reading on', async () => {
    let chunks = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        chunks += 1
        await Promise.resolve()
        yield Buffer.alloc(1024)
      }
    }
    const store = storageOf(host).open('endless', 1)
    const outcome = await reasonOf(store.put('k', Readable.from(endless()), { limits: { totalBytes: 4096 } }))
    assert.deepEqual([outcome, chunks < 100], [[4297, 'total_bytes'], true])
  })

  it('forgets an object when its time is over', async () => {
    const store = storageOf(host).open('timed', 1)
    await store.put('k', Buffer.from('x'), { ttlSeconds: 3600 })
    await host.kernel.database
      .knex('storage_objects')
      .where({ namespace: 'timed' })
      .update({ expires_at: new Date(0) })
      .queryContext({ tenant: 'all' })
    assert.deepEqual(
      [
        await store.stat('k'),
        await read(store, 'k'),
        (await store.list()).items,
        await store.usage(),
        await store.delete('k'),
      ],
      [undefined, undefined, [], { bytes: 0, objects: 0 }, false],
    )
  })
})

describe('a signed link', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins })))
  after(() => host[Symbol.asyncDispose]())

  const pathOf = (url: string): string => new URL(url).pathname

  it('gives the object to whoever has it, as a file that no browser runs', async () => {
    const store = storageOf(host).open('linked', 3)
    await store.put('r/Bericht “1”.html', Buffer.from('<script>'), { contentType: 'text/html' })
    const { status, headers, body } = await host.api.get(pathOf(await store.signedUrl('r/Bericht “1”.html', 60)))
    assert.deepEqual([status, body], [200, '<script>'])
    assert.deepEqual(
      [
        'content-type',
        'content-length',
        'content-disposition',
        'content-security-policy',
        'x-content-type-options',
      ].map((name) => headers[name]),
      [
        'text/html',
        '8',
        `attachment; filename="Bericht__1_.html"; filename*=UTF-8''Bericht%20%E2%80%9C1%E2%80%9D.html`,
        "sandbox; default-src 'none'",
        'nosniff',
      ],
    )
  })

  it('is refused when it was changed or made up, and dead when its object is gone', async () => {
    const store = storageOf(host).open('linked', 4)
    await assert.rejects(store.signedUrl('k', 60), { code: 4040 })
    await store.put('k', Buffer.from('x'))
    const link = pathOf(await store.signedUrl('k', 60))
    const token = link.slice(link.lastIndexOf('/') + 1)
    const middle = token[10] === 'A' ? 'B' : 'A'
    for (const wrong of [
      `${token}A`,
      token.slice(0, -1),
      `${token.slice(0, 10)}${middle}${token.slice(11)}`,
      'x',
      '..',
    ]) {
      const answer = await host.api.get(`/api/public/files/${encodeURIComponent(wrong)}`)
      assert.ok([403, 404].includes(answer.status), `${wrong}: ${answer.status}`)
    }
    assert.deepEqual((await host.api.get(`/api/public/files/${token}A`)).body['code'], 4032)
    await store.put('k', Buffer.from('newer'))
    assert.equal((await host.api.get(link)).body, 'newer')
    await store.delete('k')
    const gone = await host.api.get(link)
    assert.deepEqual([gone.status, gone.body['code']], [404, 4040])
  })
})

describe('what storage clears away', () => {
  it('is a namespace with the objects of all tenants, and nothing else', async () => {
    await using host = await startTestKernel({ plugins })
    const objects = storageOf(host)
    for (const tenant of [0, 1, 2]) await objects.open(namespace, tenant).put('k', Buffer.from('abc'))
    await objects.open('plugins/acme.reports2', 1).put('k', Buffer.from('other'))
    assert.deepEqual(await objects.usage(namespace), { bytes: 9, objects: 3 })
    assert.deepEqual(await objects.clear(namespace), { bytes: 9, objects: 3 })
    assert.deepEqual(await objects.usage(namespace), { bytes: 0, objects: 0 })
    assert.equal((await rowsOf(host.kernel.database.knex)).length, 1)
    assert.equal((await filesBelow(path.join(host.dataDir, 'storage'))).length, 1)
  })

  it('is what expired, and old bytes that no row knows', async () => {
    await using host = await startTestKernel({ plugins })
    const root = path.join(host.dataDir, 'storage')
    const store = storageOf(host).open('swept', 1)
    await store.put('kept', Buffer.from('x'), { ttlSeconds: 3600 })
    await store.put('over', Buffer.from('x'), { ttlSeconds: 3600 })
    const { knex: db } = host.kernel.database
    await db('storage_objects')
      .where({ key: 'over' })
      .update({ expires_at: new Date(0) })
      .queryContext({ tenant: 'all' })
    const drivers = new DriverTable()
    using registered = drivers.register(createLocalDriver(root))
    const parts = {
      db,
      log: silentLog,
      drivers,
      signingKey: Buffer.alloc(32),
      publicUrl: '',
      currentDriver: () => Promise.resolve('local'),
    }
    await sweepExpired(parts)
    assert.deepEqual(await rowsOf(db).then((rows) => rows.map((row) => (row as { key: string }).key)), ['kept'])
    const orphans = ['00/00000000-0000-4000-8000-000000000000', 'incoming/00000000-0000-4000-8000-000000000001']
    for (const orphan of orphans) {
      await mkdir(path.dirname(path.join(root, orphan)), { recursive: true })
      await writeFile(path.join(root, orphan), 'x')
    }
    for (const file of await filesBelow(root)) await utimes(file, new Date(0), new Date(0))
    await writeFile(path.join(root, 'incoming', '00000000-0000-4000-8000-000000000002'), 'being written')
    await sweepOrphans(parts)
    const left = await filesBelow(root)
    assert.deepEqual([left.length, await read(store, 'kept'), registered !== undefined], [2, 'x', true])
  })
})

describe('storage as a plugin', () => {
  it('works on one connection, and with a driver of another plugin', async () => {
    await using host = await startTestKernel({ plugins, poolSize: 1 })
    const kept = new Map<string, Buffer>()
    using registered = host.kernel.services.get(storageDrivers).register({
      name: 'local',
      write: async (location, content) => void kept.set(location, await buffer(content)),
      read: (location) => Promise.resolve(kept.has(location) ? Readable.from([kept.get(location)]) : undefined),
      delete: (location) => Promise.resolve(void kept.delete(location)),
      listOlderThan: async function* () {},
    })
    const store = storageOf(host).open('driven', 1)
    await store.put('k', Buffer.from('x'), { limits: { totalBytes: 5, objects: 1 } })
    assert.deepEqual([await read(store, 'k'), kept.size, registered !== undefined], ['x', 1, true])
    await store.delete('k')
    assert.equal(kept.size, 0)
  })

  it('leaves nothing behind when it is disabled', async () => {
    await using host = await startTestKernel({ plugins: [config, access, plainIdentity] })
    await assertLeavesNothing(host.kernel, storage)
  })
})
