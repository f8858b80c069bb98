import { deepEqual, equal, rejects } from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { createGuardedFetch, type GuardedFetch } from '#kernel'
import { openIndexSource, parseIndexFile, type IndexFile, type IndexSource } from '#marketplace'
import {
  createAuthority,
  createIndexContent,
  json,
  pluginName,
  samplePlugin,
  setIndex,
  sha256,
  type IndexContent,
} from './index-content.ts'
import { MemoryIndexCache, startIndexServer, type IndexServer, type Lie } from './index-server.ts'

describe('an index that lies', () => {
  const authority = createAuthority()
  const stranger = createAuthority('index-1')
  let server: IndexServer
  let fetch: GuardedFetch
  let source: IndexSource

  before(async () => {
    server = await startIndexServer()
    fetch = createGuardedFetch({
      egressAllowPrivate: new Set([server.host]),
      dnsServers: [],
      limits: { responseBytes: 6 * 1_048_576 },
    })
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    server.lies.clear()
    server.content = createIndexContent({ authority, index: { sequence: 5 } })
    const tools = { fetch, cache: new MemoryIndexCache(), pause: () => Promise.resolve() }
    source = openIndexSource({ id: 'sample', url: server.url }, tools)
    await source.refresh()
    server.asked.length = 0
  })

  const next = (change: Partial<IndexFile> = {}): IndexContent =>
    createIndexContent({ authority, index: { sequence: 6, ...change } })
  const replace = (path: string, bytes: Buffer) => {
    server.content = next()
    server.content.set(path, bytes)
  }
  const answer =
    (status: number, headers: Record<string, string> = {}, body: Buffer | string = ''): Lie =>
    (_request, response) =>
      void response.writeHead(status, headers).end(body)
  const entryWith = (change: object) => {
    const index = parseIndexFile(next().get('index.json') ?? Buffer.alloc(0))
    const [entry] = Object.values(index.plugins)
    return json({ ...index, plugins: { [pluginName]: { ...entry, ...change } } })
  }
  const signed = (bytes: Buffer) => {
    server.content = next()
    const value = JSON.parse(bytes.toString()) as IndexFile
    setIndex(server.content, value, authority)
  }

  const lies: Readonly<Record<string, readonly [rule: string, tell: () => void]>> = {
    'signs with another key of the same id': [
      'signature',
      () => {
        server.content = createIndexContent({ authority: stranger, index: { sequence: 6 } })
        server.content.set('root.json', authority.root.root)
        server.content.set('root.json.sig', authority.root.signature)
      },
    ],
    'brings another root': [
      'root_unknown',
      () => {
        server.content = createIndexContent({ authority: stranger, index: { sequence: 6 } })
      },
    ],
    'takes its root away': [
      'missing',
      () => {
        server.content = next()
        server.content.delete('root.json')
      },
    ],
    'takes its signature away': [
      'missing',
      () => {
        server.content = next()
        server.content.delete('index.json.sig')
      },
    ],
    'takes index.json away': ['missing', () => void server.content.delete('index.json')],
    'goes back': ['sequence_older', () => void (server.content = next({ sequence: 4 }))],
    'says something else under the same number': [
      'sequence_reused',
      () => {
        server.content = next({ sequence: 5, expires: '2037-01-01T00:00:00Z' })
      },
    ],
    'changes a byte of index.json': [
      'signature',
      () => {
        server.content = next()
        const bytes = Buffer.from(server.content.get('index.json') ?? '')
        bytes[bytes.length - 2] = 0x20
        server.content.set('index.json', bytes)
      },
    ],
    'gives another publishers.json': [
      'hash',
      () => {
        const sides = { 'publishers.json': { format: 1, publishers: {} } }
        server.content = createIndexContent({ authority, index: { sequence: 6 }, sides })
        server.content.set('publishers.json', json({ format: 1, publishers: { evil: {} } }))
      },
    ],
    'leaves its folder': ['rule', () => signed(entryWith({ path: 'p/../../x/' }))],
    'names a path of another system': ['rule', () => signed(entryWith({ path: 'p/nul/x/' }))],
    'has a plugin of another publisher’s': ['rule', () => signed(entryWith({ publisher: 'other' }))],
    'has members nobody knows': ['form', () => signed(entryWith({ more: 1 }))],
    'cuts index.json': [
      'connection_failed',
      () => {
        server.lies.set('index.json', (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('{"format"')
          setImmediate(() => response.destroy())
        })
      },
    ],
    'answers with a page': ['signature', () => server.lies.set('index.json', answer(200, {}, '<html>'))],
    fails: ['server', () => server.lies.set('index.json', answer(500))],
    'wants a password': ['not_allowed', () => server.lies.set('index.json', answer(401))],
    'answers 304 to what was not asked so': [
      'status',
      () => {
        replace('root.json', stranger.root.root)
        server.lies.set('root.json.sig', answer(304))
      },
    ],
    'sends a bomb': [
      'response_too_large',
      () => {
        server.lies.set('index.json', answer(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))))
      },
    ],
    'sends more than an index may have': [
      'response_too_large',
      () => {
        server.lies.set('index.json', answer(200, {}, Buffer.alloc(5 * 1_048_576 + 1, 0x20)))
      },
    ],
    'sends what it did not say it would': [
      'response_invalid',
      () => {
        server.lies.set('index.json', answer(200, { 'content-encoding': 'zstd' }, 'x'))
      },
    ],
    'leads to another host': [
      'redirect_host',
      () => {
        server.lies.set('index.json', answer(302, { location: 'http://198.51.100.7/index.json' }))
      },
    ],
    'leads to this machine': [
      'redirect_host',
      () => {
        server.lies.set('index.json', answer(302, { location: 'http://127.0.0.1:1/index.json' }))
      },
    ],
    'leads to a file': [
      'redirect_insecure',
      () => {
        server.lies.set('index.json', answer(302, { location: 'file:///etc/passwd' }))
      },
    ],
    'leads on and on': ['redirect_loop', () => server.lies.set('index.json', answer(302, { location: 'index.json' }))],
  }
  for (const [lie, [rule, tell]] of Object.entries(lies)) {
    it(`${lie}: the last good snapshot stays, and why is kept`, async () => {
      tell()
      const { failure, sequence } = await source.refresh({ force: true })
      deepEqual([failure?.code, failure?.details['rule'], sequence, source.list().length], [5023, rule, 5, 1])
    })
  }

  it('is tried three times where another try may help, and once where none does', async () => {
    const count = async (lie: Lie) => {
      server.lies.set('root.json', lie)
      server.asked.length = 0
      await source.refresh({ force: true })
      return server.asked.length
    }
    deepEqual([await count(answer(503)), await count(answer(403))], [3, 1])
  })

  it('is believed again when two tries later it tells the truth', async () => {
    let failed = 0
    server.content = next()
    server.lies.set('index.json', (_request, response) => failed++ < 2 && void response.writeHead(502).end())
    const { failure, sequence } = await source.refresh({ force: true })
    deepEqual([failure, sequence], [undefined, 6])
  })

  it('may be replaced between the reading of index.json and of its signature', async () => {
    let isFirst = true
    const fresh = next({ sequence: 7 })
    server.content = next()
    server.lies.set('index.json.sig', () => {
      if (isFirst) server.content = fresh
      isFirst = false
      return false
    })
    deepEqual([(await source.refresh({ force: true })).failure, source.state.sequence], [undefined, 7])
  })

  it('gives another plugin.json: it is not shown', async () => {
    server.content.set('p/ac/acme.clock/plugin.json', json(samplePlugin({ title: { default: 'Evil' } })))
    await rejects(source.detail(pluginName), { code: 5023, reason: 'index_untrusted' })
  })

  it('names a plugin.json of another plugin, or one without its latest version: it is not shown', async () => {
    let sequence = 6
    const ruleOf = async (change: object, plugin = json(samplePlugin())) => {
      const index = JSON.parse(entryWith({ sha256: sha256(plugin), ...change }).toString()) as IndexFile
      signed(json({ ...index, sequence: ++sequence }))
      server.content.set('p/ac/acme.clock/plugin.json', plugin)
      equal((await source.refresh({ force: true })).failure, undefined)
      return source.detail(pluginName).then(
        ({ name }) => name,
        (error: { readonly details?: { readonly rule?: string } }) => error.details?.rule,
      )
    }
    deepEqual(
      [await ruleOf({}, json(samplePlugin({ name: 'acme.other' }))), await ruleOf({ latest: '2.0.0' })],
      ['name', 'latest'],
    )
  })
})
