import { deepEqual } from 'node:assert/strict'
import { createStorageCapability } from '../../sandbox/broker/storage.ts'
import type { PluginObject, PluginObjectStore } from '../../sandbox/services.ts'
import { GuestCalls } from './capabilities-call.ts'

/** Everything a test needs to know of the store behind the capability. */
class MemoryObjects implements PluginObjectStore {
  readonly objects = new Map<string, { object: PluginObject; bytes: Buffer }>()
  readonly puts: unknown[] = []

  put(key: string, content: Buffer, options?: Parameters<PluginObjectStore['put']>[2]): Promise<PluginObject> {
    this.puts.push(options)
    const contentType = options?.contentType ?? ''
    const object = { key, size: content.length, contentType, sha256: '', createdAt: new Date(0), expiresAt: null }
    this.objects.set(key, { object, bytes: content })
    return Promise.resolve(object)
  }
  get(key: string): ReturnType<PluginObjectStore['get']> {
    const found = this.objects.get(key)
    return Promise.resolve(found && { object: found.object, content: stream(found.bytes) })
  }
  stat = (key: string): Promise<PluginObject | undefined> => Promise.resolve(this.objects.get(key)?.object)
  delete = (key: string): Promise<boolean> => Promise.resolve(this.objects.delete(key))
  list = (): ReturnType<PluginObjectStore['list']> =>
    Promise.resolve({ items: [...this.objects.values()].map(({ object }) => object), nextCursor: 'next' })
  usage = (): ReturnType<PluginObjectStore['usage']> => Promise.resolve({ bytes: 1, objects: this.objects.size })
  signedUrl = (key: string, ttlSeconds: number): Promise<string> => Promise.resolve(`/files/${key}?${ttlSeconds}`)
}

async function* stream(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536))
}

describe('objects of a guest', () => {
  const stores = new Map<string, MemoryObjects>()
  const storage = createStorageCapability((plugin, tenantId) => {
    const name = `${plugin} ${tenantId}`
    const store = stores.get(name) ?? new MemoryObjects()
    stores.set(name, store)
    return store
  })
  const as = (tenantId: number): GuestCalls => new GuestCalls(storage, { tenantId })
  beforeEach(() => stores.clear())

  it('come back as they were put, to their tenant alone', async () => {
    const one = as(1)
    const answers = [
      await one.ask('storage.put', { key: 'a/b.txt', data: 'ä', contentType: 'text/plain' }),
      await one.ask('storage.put', { key: 'raw', data: { base64: 'AAEC' }, ttlSeconds: 60 }),
      await one.ask('storage.get', { key: 'a/b.txt' }),
      await one.ask('storage.get', { key: 'none' }),
      await one.ask('storage.stat', { key: 'raw' }),
      await one.ask('storage.list', { prefix: 'a', limit: 1 }),
      await one.ask('storage.usage'),
      await one.ask('storage.signedUrl', { key: 'raw', ttlSeconds: 60 }),
      await as(2).ask('storage.get', { key: 'raw' }),
      await one.ask('storage.delete', { key: 'raw' }),
    ]
    const text = { key: 'a/b.txt', size: 2, contentType: 'text/plain', updatedAt: new Date(0).toISOString() }
    const raw = { key: 'raw', size: 3, contentType: 'application/octet-stream', updatedAt: new Date(0).toISOString() }
    deepEqual(answers, [
      ...[null, null, { base64: Buffer.from('ä').toString('base64') }, null, raw],
      ...[{ objects: [text, raw], cursor: 'next' }, { bytes: 1, objects: 2 }, '/files/raw?60', null, null],
    ])
    const limits = { objectBytes: 20 * 1_048_576, totalBytes: 200 * 1_048_576, objects: 10_000 }
    deepEqual(stores.get('acme.notes 1')?.puts, [
      { contentType: 'text/plain', limits },
      { contentType: 'application/octet-stream', limits, ttlSeconds: 60 },
    ])
  })

  it('have keys without tricks', async () => {
    const keys = [
      ...[
        '',
        '/',
        '/etc/passwd',
        '..',
        '.',
        '../x',
        'a/../b',
        'a/./b',
        'a//b',
        'a/',
        '/a',
        'a/..',
        '..\\x',
        'a\\b',
        'C:\\x',
      ],
      ...[
        'a\0b',
        'a\nb',
        'a\rb',
        'a\x7fb',
        'a\u0085b',
        'a\u2028b',
        'e\u0301',
        '\ud800',
        'a'.repeat(513),
        'ä'.repeat(257),
      ],
      ...[null, 1, {}, [], ['a'], true],
    ]
    const calls = as(1)
    const operations = ['storage.get', 'storage.put', 'storage.delete', 'storage.stat', 'storage.signedUrl']
    const answers = await Promise.all(
      operations.flatMap((operation) => keys.map((key) => calls.ask(operation, { key, data: 'x' }))),
    )
    deepEqual([...new Set(answers)], ['bad_request argument_invalid'])
    deepEqual(await calls.ask('storage.list', { prefix: '../' }).then(() => stores.size), 1)
    const prefixes = [
      '/',
      '/a',
      'a\\b',
      'a\0',
      'a\n',
      'e\u0301',
      '\ud800',
      'a'.repeat(513),
      'ä'.repeat(257),
      1,
      {},
      ['a'],
    ]
    const listed = await Promise.all(prefixes.map((prefix) => calls.ask('storage.list', { prefix })))
    deepEqual([...new Set(listed)], ['bad_request argument_invalid'])
    const cursors = ['', '../../x', 'AA', 'Li4', 'YQ==', 'YQ\n', Buffer.from([0xff]).toString('base64url')]
    const lists = await Promise.all(cursors.map((cursor) => calls.ask('storage.list', { cursor })))
    deepEqual([...new Set(lists)], ['bad_request argument_invalid'])
  })

  it('are bytes that were said to be, of a type that is one, and fit into an answer', async () => {
    const calls = as(1)
    const put = (parts: object): Promise<unknown> => calls.ask('storage.put', { key: 'a', data: 'x', ...parts })
    deepEqual(
      await Promise.all([
        put({ data: { base64: 'A' } }),
        put({ data: { base64: 'AA==\n' } }),
        put({ data: { base64: 'A A=' } }),
        put({ data: { base64: 'A===' } }),
        put({ data: { base64: 'AAAA', more: 1 } }),
        put({ data: 1 }),
        put({ data: null }),
        put({ data: 'half of \ud83d' }),
        put({ contentType: 'text/html\r\nx: y' }),
        put({ contentType: 'nonsense' }),
        put({ ttlSeconds: 0 }),
        put({ ttlSeconds: 1.5 }),
        calls.ask('storage.signedUrl', { key: 'a', ttlSeconds: 10_000_000 }),
        calls.ask('storage.list', { limit: 1_001 }),
      ]),
      Array(14).fill('bad_request argument_invalid'),
    )
    await as(1).ask('storage.put', { key: 'big', data: 'x'.repeat(900_000) })
    deepEqual(await calls.ask('storage.get', { key: 'big' }), 'invalid object_too_large')
  })
})
