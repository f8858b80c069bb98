import { deepEqual, equal, rejects } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuardedFetch } from '#kernel'
import { createSigningKey, openIndexSource, rotateRoot, type IndexSource, type IndexSourceOptions } from '#marketplace'
import {
  createAuthority,
  createIndexContent,
  created,
  json,
  packageBytes,
  pluginName,
  samplePlugin,
} from './index-content.ts'
import { fetchFrom, MemoryIndexCache, startIndexServer, type IndexServer } from './index-server.ts'
import { makeScratch } from './sample-package.ts'

describe('the client of an index', () => {
  const authority = createAuthority()
  let server: IndexServer
  let fetch: GuardedFetch
  let cache: MemoryIndexCache
  let now: number

  before(async () => {
    server = await startIndexServer()
    fetch = fetchFrom(server)
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.content = createIndexContent({ authority })
    server.lies.clear()
    server.asked.length = 0
    server.headers.length = 0
    cache = new MemoryIndexCache()
    now = Date.parse('2026-06-01T00:00:00Z')
  })

  const open = (options: Partial<IndexSourceOptions> = {}): IndexSource =>
    openIndexSource(
      { id: 'sample', url: server.url, ...options },
      { fetch, cache, now: () => now, pause: () => Promise.resolve() },
    )

  it('lists what a signed index holds, after one refresh', async () => {
    const source = open()
    const { failure, sequence, isStale, plugins } = await source.refresh()
    deepEqual({ failure, sequence, isStale, plugins }, { failure: undefined, sequence: 1, isStale: false, plugins: 1 })
    deepEqual(source.list(), [
      {
        source: 'sample',
        name: pluginName,
        publisher: 'acme',
        title: { default: 'Clock', 'zh-CN': '时钟' },
        description: { default: 'Shows the time' },
        latest: '1.0.0',
        updated: created,
        trust: 'verified',
        categories: ['tools'],
        keywords: ['time'],
        capabilities: ['log'],
        engines: { host: '>=1.0.0' },
        hasIcon: false,
        rating: undefined,
        revocation: undefined,
      },
    ])
  })

  it('asks again after 15 minutes only, and then whether something changed', async () => {
    const source = open()
    await source.refresh()
    server.asked.length = 0
    await source.refresh()
    deepEqual(server.asked, [])
    now += 16 * 60_000
    await source.refresh()
    deepEqual(server.asked, ['root.json 304', 'index.json 304'])
  })

  it('reads side files again only when they changed', async () => {
    const sides = { 'publishers.json': { format: 1, publishers: {} }, 'ratings.json': { format: 1, ratings: {} } }
    server.content = createIndexContent({ authority, sides })
    const source = open()
    await source.refresh()
    const ratings = { format: 1, ratings: { [pluginName]: { average: 4.5, count: 12 } } }
    server.content = createIndexContent({
      authority,
      sides: { ...sides, 'ratings.json': ratings },
      index: { sequence: 2 },
    })
    server.asked.length = 0
    await source.refresh({ force: true })
    deepEqual(server.asked, ['root.json 304', 'index.json', 'index.json.sig', 'ratings.json'])
    deepEqual(source.find(pluginName)?.rating, { average: 4.5, count: 12 })
  })

  it('lists everything without a network, from what was stored', async () => {
    const beside = { 'README.md': Buffer.from('# Clock') }
    server.content = createIndexContent({ authority, beside })
    const source = open()
    await source.refresh()
    equal((await source.readme(pluginName))?.text, '# Clock')
    server.lies.set('*', (request) => void request.socket.destroy())
    const later = open()
    equal(await later.load(), true)
    equal((await later.refresh({ force: true })).failure?.details['rule'], 'connection_failed')
    deepEqual([later.list().length, (await later.readme(pluginName))?.text], [1, '# Clock'])
  })

  it('marks an index whose time is over, and lists it all the same', async () => {
    const source = open()
    await source.refresh()
    now = Date.parse('2037-01-01T00:00:00Z')
    deepEqual([source.state.isStale, source.list().length], [true, 1])
  })

  it('follows a rotation of the root, and pins the new one', async () => {
    const source = open()
    const { rootFingerprint } = await source.refresh()
    const key = createSigningKey('index-2')
    const root = rotateRoot(authority.root, { created: created, keys: [key] }, [authority.key, key])
    server.content = createIndexContent({ authority: { key, root }, index: { sequence: 2 } })
    const state = await source.refresh({ force: true })
    deepEqual([state.failure, state.rootVersion, state.sequence], [undefined, 2, 2])
    equal(await open(rootFingerprint === undefined ? {} : { rootFingerprint }).load(), true)
    server.content = createIndexContent({ authority, index: { sequence: 3 } })
    const back = await source.refresh({ force: true })
    deepEqual([back.failure?.details['rule'], back.sequence], ['root_unknown', 2])
  })

  it('reads the README of a language, of its language without region, or the default one', async () => {
    const beside = {
      'README.md': Buffer.from('default'),
      'README.zh-CN.md': Buffer.from('中文'),
      'README.fr.md': Buffer.from('français'),
    }
    server.content = createIndexContent({ authority, beside })
    const source = open()
    await source.refresh()
    const read = async (locale?: string) => (await source.readme(pluginName, locale))?.locale
    deepEqual(
      [await read('zh-CN'), await read('fr-CA'), await read('de'), await read(), await read('../../x')],
      ['zh-CN', 'fr', 'default', 'default', 'default'],
    )
  })

  it('serves images beside the README, whatever they are called, and nothing else', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')
    const beside = { 'icon.png': png, 'screenshots/one.png': png, 'evil.png': Buffer.from('<svg onload=alert(1)>') }
    server.content = createIndexContent({ authority, beside })
    const source = open()
    await source.refresh()
    deepEqual([source.find(pluginName)?.hasIcon, (await source.icon(pluginName))?.type], [true, 'image/png'])
    equal((await source.image(pluginName, 'screenshots/one.png')).bytes.length, png.length)
    for (const path of ['evil.png', 'plugin.json', '../../../root.json', 'screenshots/../icon.png', '', '/icon.png'])
      await rejects(source.image(pluginName, path), { code: 4040, reason: 'index_file_not_found' })
  })

  it('downloads a package to a new file', async () => {
    await using scratch = await makeScratch()
    const source = open()
    await source.refresh()
    const seen: number[] = []
    const target = join(scratch.path, 'pkg.zip')
    const { size } = await source.download(pluginName, '1.0.0', target, {
      onProgress: (received) => seen.push(received),
    })
    deepEqual([size, seen.at(-1), await readFile(target)], [packageBytes.length, packageBytes.length, packageBytes])
    await rejects(source.download(pluginName, '1.0.0', target), { code: 'EEXIST' })
    deepEqual(await readFile(target), packageBytes)
  })

  it('sends the headers of a private index to its own host only', async () => {
    await using other = await startIndexServer()
    await using both = fetchFrom(server, other)
    other.content.set('', packageBytes)
    server.lies.set('p/ac/acme.clock/releases/1.0.0.plugin.zip', (_request, response) => {
      response.writeHead(302, { location: `${other.url}/` }).end()
    })
    await using scratch = await makeScratch()
    const source = openIndexSource(
      { id: 'sample', url: server.url, headers: { authorization: 'token x' }, downloadHosts: [other.host] },
      { fetch: both, cache },
    )
    await source.refresh()
    await source.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip'))
    deepEqual(
      [server.headers.every(({ authorization }) => authorization === 'token x'), other.headers[0]?.authorization],
      [true, undefined],
    )
  })

  it('refuses addresses and headers that cannot be a source’s', () => {
    const refused: readonly (readonly [Partial<IndexSourceOptions>, string])[] = [
      [{ url: 'ftp://a.example/' }, 'url'],
      [{ url: 'nothing' }, 'url'],
      [{ url: 'https://user:secret@a.example/' }, 'credentials'],
      [{ url: 'https://a.example/?token=x' }, 'query'],
      [{ url: 'file://other/srv' }, 'host'],
      [{ headers: { 'x\r\ny': '1' } }, 'headers'],
      [{ headers: { authorization: 'a\r\nhost: b' } }, 'headers'],
      [{ headers: { Host: 'b' } }, 'headers'],
    ]
    const rules = refused.map(([options]) => {
      try {
        open(options)
      } catch (error) {
        return (error as { readonly details?: { readonly rule?: string } }).details?.rule
      }
      return undefined
    })
    deepEqual(
      rules,
      refused.map(([, rule]) => rule),
    )
  })

  it('trusts nothing of an index without a root, and takes one only where it is said to be', async () => {
    server.content = createIndexContent({ plugins: [samplePlugin()] })
    const strict = open()
    equal((await strict.refresh()).failure?.reason, 'index_untrusted')
    const source = open({ unsigned: true })
    await source.refresh()
    equal(source.find(pluginName)?.trust, 'unsigned')
  })

  it('reads again what was kept and is not what the index names', async () => {
    const source = open()
    await source.refresh()
    await source.detail(pluginName)
    for (const hash of cache.files.keys()) cache.files.set(hash, json(samplePlugin({ title: { default: 'Evil' } })))
    const later = open()
    await later.load()
    equal((await later.detail(pluginName)).title?.default, 'Clock')
  })

  it('says what is not there', async () => {
    const source = open()
    await source.refresh()
    await rejects(source.detail('acme.other'), { code: 4046, reason: 'index_entry_not_found' })
    await rejects(source.detail('__proto__'), { code: 4046 })
    await rejects(source.download(pluginName, '9.9.9', '/nowhere'), { code: 4046 })
    deepEqual([await source.readme(pluginName), await source.review(pluginName, '1.0.0')], [undefined, undefined])
  })
})
