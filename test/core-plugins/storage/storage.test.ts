import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'mocha'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { filesBelow, plugins, read, reasonOf, storageOf } from '../../support/storage.ts'

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
      driver: 'local',
      storageRef: 'local',
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

  it('writes an object over a file, and follows no link that lies in its place', async () => {
    const store = storageOf(host).open('copied', 1)
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'stoa-copy-')), 'copy')
    await writeFile(file, 'a longer text than the next one')
    const stored = await store.put('k', Buffer.from('hello'))
    assert.deepEqual(await store.copyTo('k', file), stored)
    assert.equal(await readFile(file, 'utf8'), 'hello')
    assert.equal(await store.copyTo('none', file), undefined)
    assert.equal(await readFile(file, 'utf8'), 'hello')
    const root = path.join(host.dataDir, 'storage')
    const contents = await Promise.all((await filesBelow(root)).map(async (at) => [at, await readFile(at, 'utf8')]))
    const own = contents.find(([, text]) => text === 'hello')?.[0] ?? ''
    await rm(own)
    await symlink('/etc/hostname', own)
    await assert.rejects(store.copyTo('k', file), { status: 500 })
    assert.equal(await readFile(file, 'utf8'), 'hello')
    await rm(path.dirname(file), { recursive: true })
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
      (file) => !/storage\/t1\/\d{4}\/\d{2}\/[0-9a-f-]{36}$/.test(file),
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

  it('ends the content of a put that has no room left without reading on', async () => {
    let chunks = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        chunks += 1
        await Promise.resolve()
        yield Buffer.alloc(1024)
      }
    }
    const store = storageOf(host).open('endless', 1)
    await store.put('full', Buffer.alloc(1_024_000))
    const outcome = await reasonOf(store.put('k', Readable.from(endless()), { limits: { totalBytes: 1_028_096 } }))
    assert.deepEqual([outcome, chunks < 100], [[4297, 'total_bytes'], true], `${chunks} chunks`)
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
