import { deepEqual, equal, rejects } from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { GuardedFetch } from '#kernel'
import { openIndexSource, type IndexSource } from '#marketplace'
import {
  createAuthority,
  createIndexContent,
  packageBytes,
  pluginName,
  samplePlugin,
  sampleVersion,
} from './index-content.ts'
import { fetchFrom, MemoryIndexCache, startIndexServer, type IndexServer } from './index-server.ts'
import { makeScratch } from './sample-package.ts'

const zip = 'p/ac/acme.clock/releases/1.0.0.plugin.zip'

describe('a package that an index lies about', () => {
  const authority = createAuthority()
  let server: IndexServer
  let fetch: GuardedFetch
  let source: IndexSource

  before(async () => {
    server = await startIndexServer()
    fetch = fetchFrom(server)
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    server.lies.clear()
    server.content = createIndexContent({ authority })
    const tools = { fetch, cache: new MemoryIndexCache(), pause: () => Promise.resolve() }
    source = openIndexSource({ id: 'sample', url: server.url }, tools)
    await source.refresh()
  })

  const zips: Readonly<Record<string, readonly [reason: string, tell: () => void]>> = {
    'other bytes': ['download_refused', () => void server.content.set(zip, Buffer.alloc(packageBytes.length))],
    'too many bytes': [
      'download_refused',
      () => void server.content.set(zip, Buffer.concat([packageBytes, packageBytes])),
    ],
    'too few bytes': ['download_refused', () => void server.content.set(zip, packageBytes.subarray(1))],
    'bytes without an end': [
      'download_refused',
      () => {
        server.lies.set(zip, (_request, response) => void response.writeHead(200).write(`${packageBytes.toString()}x`))
      },
    ],
    nothing: ['index_unavailable', () => void server.content.delete(zip)],
    'a zip in a wrapping nobody asked for': [
      'index_unavailable',
      () => {
        server.lies.set(zip, (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(packageBytes))
        })
      },
    ],
    'a connection that breaks': [
      'index_unavailable',
      () => {
        server.lies.set(zip, (_request, response) => {
          response
            .writeHead(200, { 'content-length': String(packageBytes.length) })
            .write(packageBytes.subarray(0, 100))
          setImmediate(() => response.destroy())
        })
      },
    ],
  }
  for (const [what, [reason, tell]] of Object.entries(zips)) {
    it(`gives ${what} for a package: it is refused, and no file stays`, async () => {
      await using scratch = await makeScratch()
      tell()
      await rejects(source.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip')), { code: 5023, reason })
      deepEqual(await readdir(scratch.path), [])
    })
  }

  it('names a package elsewhere: only a download host is asked', async () => {
    await using scratch = await makeScratch()
    const versions = [sampleVersion('1.0.0', { url: 'https://elsewhere.example/a.zip' })]
    server.content = createIndexContent({ authority, index: { sequence: 6 }, plugins: [samplePlugin({ versions })] })
    equal((await source.refresh({ force: true })).failure, undefined)
    await rejects(source.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip')), {
      details: { source: 'sample', rule: 'redirect_host' },
    })
  })

  it('names a package elsewhere that a copy of the index has: nobody else is asked', async () => {
    await using scratch = await makeScratch()
    const versions = [sampleVersion('1.0.0', { url: 'https://elsewhere.example/a.zip' })]
    server.content = createIndexContent({ authority, index: { sequence: 6 }, plugins: [samplePlugin({ versions })] })
    server.content.set(`p/ac/acme.clock/releases/${pluginName}-1.0.0.plugin.zip`, packageBytes)
    equal((await source.refresh({ force: true })).failure, undefined)
    const target = join(scratch.path, 'pkg.zip')
    await source.download(pluginName, '1.0.0', target)
    deepEqual(await readFile(target), packageBytes)
  })

  it('names a package elsewhere, and the server refuses what it does not have: the other host is asked', async () => {
    await using scratch = await makeScratch()
    const versions = [sampleVersion('1.0.0', { url: 'https://elsewhere.example/a.zip' })]
    server.content = createIndexContent({ authority, index: { sequence: 6 }, plugins: [samplePlugin({ versions })] })
    server.lies.set(`p/ac/acme.clock/releases/${pluginName}-1.0.0.plugin.zip`, (_request, response) => {
      response.writeHead(403).end()
    })
    equal((await source.refresh({ force: true })).failure, undefined)
    await rejects(source.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip')), {
      details: { source: 'sample', rule: 'redirect_host' },
    })
  })

  it('lets a download be given up: no file stays', async () => {
    await using scratch = await makeScratch()
    const waiting = new AbortController()
    server.lies.set(zip, (_request, response) => {
      response.writeHead(200).write('a')
      setImmediate(() => waiting.abort(new Error('given up')))
    })
    await rejects(source.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip'), { signal: waiting.signal }))
    deepEqual(await readdir(scratch.path), [])
  })

  it('lets a package drip for ever: it ends past the time for its size, and no file stays', async () => {
    await using scratch = await makeScratch()
    const slow = openIndexSource(
      { id: 'sample', url: server.url },
      { fetch, cache: new MemoryIndexCache(), graceMs: 500 },
    )
    await slow.refresh()
    const gone = Promise.withResolvers<void>()
    let sent = 0
    server.lies.set(zip, (_request, response) => {
      response.writeHead(200)
      // Never so long without a byte that the connection would count as silent.
      const drip = setInterval(() => void response.write(packageBytes.subarray(sent, ++sent)), 50)
      response.on('close', () => {
        clearInterval(drip)
        gone.resolve()
      })
    })
    await rejects(slow.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip')), {
      reason: 'index_unavailable',
      details: { source: 'sample', rule: 'timeout' },
    })
    await gone.promise
    deepEqual([await readdir(scratch.path), sent > 1], [[], true])
  })

  it('refuses what is larger than this site takes, before it asks', async () => {
    await using scratch = await makeScratch()
    const small = openIndexSource(
      { id: 'sample', url: server.url, packageBytes: 100 },
      { fetch, cache: new MemoryIndexCache() },
    )
    await small.refresh()
    server.asked.length = 0
    const refused = small.download(pluginName, '1.0.0', join(scratch.path, 'pkg.zip'))
    await rejects(refused, { reason: 'download_refused', details: { source: 'sample', rule: 'size' } })
    deepEqual(server.asked, ['p/ac/acme.clock/plugin.json'])
  })
})
