import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { createGuardedFetch } from '#kernel'
import type { StorageVolume } from '../../../core-plugins/storage/contract.ts'
import { S3Client } from '../../../core-plugins/storage/drivers/s3/s3-client.ts'
import { createS3Volume } from '../../../core-plugins/storage/drivers/s3/s3-volume.ts'
import { startS3Server, type S3Server } from '../../support/s3-server.ts'

const megabyte = 1_048_576
const location = 'ab/0190-object'

describe('objects in S3', () => {
  const stack = new AsyncDisposableStack()
  let server: S3Server
  let open: (more?: Readonly<Record<string, unknown>>) => StorageVolume
  before(async () => {
    server = stack.use(await startS3Server())
    const egressAllowPrivate = new Set([`localhost:${server.port}`, `stoa-test.localhost:${server.port}`])
    const client = stack.use(createGuardedFetch({ egressAllowPrivate, dnsServers: [] }))
    open = (more) => createS3Volume(new S3Client(server.settings(more), client, { retries: 3, firstWaitMs: 5 }))
  })
  after(() => stack.disposeAsync())
  beforeEach(() => server.forget().then(() => server.state()))

  const read = async (volume: StorageVolume, range?: { start: number; end: number }): Promise<string | undefined> => {
    const found = await volume.get(location, { range })
    return found && text(found.content)
  }
  const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      ({ code, details }: { code?: number; details?: { reason?: string } }) => [code, details?.reason],
    )

  it('are put, read, measured and deleted, with the bucket in the path and in the host', async () => {
    for (const style of [true, false]) {
      const volume = open({ force_path_style: style, acl: 'private' })
      assert.deepEqual([await volume.head(location), await read(volume)], [undefined, undefined])
      await volume.put(location, Readable.from([Buffer.from('hello '), Buffer.from('there')]), {
        contentType: 'text/plain',
      })
      const { objects } = await server.state()
      assert.deepEqual(
        objects.map(({ key, size, type, acl }) => [key, size, type, acl]),
        [[`files/${location}`, 11, 'text/plain', 'private']],
      )
      assert.deepEqual([await volume.head(location), await read(volume)], [{ size: 11 }, 'hello there'])
      await volume.delete(location)
      await volume.delete(location)
      assert.equal((await server.state()).objects.length, 0)
    }
  })

  it('are read in parts', async () => {
    const volume = open()
    await volume.put(location, Readable.from([Buffer.from('0123456789')]))
    assert.equal(await read(volume, { start: 2, end: 4 }), '234')
    assert.equal(await read(volume, { start: 8, end: 99 }), '89')
    assert.equal((await volume.get(location, { range: { start: 0, end: 0 } }))?.size, 10)
  })

  it('may be empty', async () => {
    const volume = open()
    await volume.put(location, Readable.from([]), { size: 0 })
    assert.deepEqual([await volume.head(location), await read(volume)], [{ size: 0 }, ''])
  })

  it('of more than a part go in parts at the same time, and are the same afterwards', async () => {
    const content = randomBytes(20 * megabyte)
    const pieces = Array.from({ length: 20 * 4 }, (_, at) =>
      content.subarray((at * megabyte) / 4, ((at + 1) * megabyte) / 4),
    )
    const volume = open()
    await volume.put(location, Readable.from(pieces), { size: content.length })
    const { objects, uploads, seen } = await server.state()
    assert.deepEqual(
      [objects[0]?.sha256, uploads, seen.toSorted()],
      [createHash('sha256').update(content).digest('hex'), 0, ['complete', 'create', 'part', 'part', 'part']],
    )
    const found = await volume.get(location)
    assert.ok((await buffer(found!.content)).equals(content))
  })

  it('of which a part fails for good leave nothing', async () => {
    await server.fail({ on: 'part', kind: 'status', status: 403, code: 'AccessDenied' })
    const put = open().put(location, Readable.from([randomBytes(17 * megabyte)]))
    assert.deepEqual(await reasonOf(put), [5022, 'AccessDenied'])
    const { objects, uploads } = await server.state()
    assert.deepEqual([objects.length, uploads], [0, 0])
  })

  it('whose content breaks off or has another length than told leave nothing, large and small', async () => {
    async function* failing(bytes: number): AsyncGenerator<Buffer> {
      yield randomBytes(bytes)
      await Promise.resolve()
      throw new Error('the sender went away')
    }
    for (const bytes of [100, 9 * megabyte]) {
      await assert.rejects(open().put(location, Readable.from(failing(bytes))), /the sender went away/)
      const put = open().put(location, Readable.from([randomBytes(bytes)]), { size: bytes + 1 })
      assert.deepEqual(await reasonOf(put), [5022, 'wrong_length'])
    }
    const { objects, uploads } = await server.state()
    assert.deepEqual([objects.length, uploads], [0, 0])
  })

  it('are there when only the answer to their last part was lost', async () => {
    await server.fail({ on: 'complete', kind: 'cut-answer' })
    await open().put(location, Readable.from([randomBytes(9 * megabyte)]))
    assert.deepEqual(
      (await server.state()).objects.map(({ size }) => size),
      [9 * megabyte],
    )
    await server.forget()
    await server.fail({ on: 'complete', kind: 'error-in-body' })
    const put = open().put(location, Readable.from([randomBytes(9 * megabyte)]))
    assert.deepEqual(await reasonOf(put), [5022, 'InternalError'])
    assert.equal((await server.state()).uploads, 0)
  })

  it('can be written in parts by whoever has them at hand', async () => {
    const upload = await open().multipart!.create(location, { contentType: 'text/plain' })
    await upload.putPart(2, Buffer.from('end'))
    await upload.putPart(1, Buffer.alloc(5 * megabyte, 'a'))
    await upload.complete()
    assert.deepEqual((await server.state()).objects[0]?.size, 5 * megabyte + 3)
    const dropped = await open().multipart!.create('ab/other')
    await dropped.putPart(1, Buffer.from('x'))
    await dropped.abort()
    assert.equal((await server.state()).uploads, 0)
  })

  it('are tried again after what may pass, when trying twice is trying once', async () => {
    const volume = open()
    await server.fail({ on: 'put', kind: 'status', status: 503, times: 2 }, { on: 'get', kind: 'status', status: 429 })
    await volume.put(location, Readable.from([Buffer.from('x')]))
    assert.equal(await read(volume), 'x')
    await server.fail({ on: 'put', kind: 'cut-answer' }, { on: 'head', kind: 'cut-request' })
    await volume.put(location, Readable.from([Buffer.from('y')]))
    assert.deepEqual([await volume.head(location), await read(volume)], [{ size: 1 }, 'y'])
    await server.state()
    await server.fail({ on: 'put', kind: 'status', status: 503, times: 9 })
    assert.deepEqual(await reasonOf(volume.put(location, Readable.from([]))), [5022, 'SlowDown'])
    assert.deepEqual((await server.state()).seen, ['put', 'put', 'put', 'put'])
    await server.fail({ on: 'create', kind: 'status', status: 503 })
    assert.deepEqual(await reasonOf(volume.multipart!.create(location)), [5022, 'SlowDown'])
    assert.deepEqual((await server.state()).seen, ['create'])
  })

  it('that come to half, or without a length, are an error and not a short object', async () => {
    const volume = open()
    await volume.put(location, Readable.from([randomBytes(megabyte)]))
    await server.fail({ on: 'get', kind: 'cut-answer' })
    assert.deepEqual(await reasonOf(read(volume)), [5022, 'connection_failed'])
    await server.fail({ on: 'get', kind: 'short' })
    assert.deepEqual(await reasonOf(read(volume)), [5022, 'no_length'])
  })

  it('are refused with the service’s code and nothing else of its answer', async () => {
    const wrong = open({ secret_access_key: 'another' })
    const error = await wrong.put(location, Readable.from([])).catch((refused: unknown) => refused as Error)
    assert.deepEqual(
      [(error as { code?: number }).code, error?.message.includes('SignatureDoesNotMatch')],
      [5022, true],
    )
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /another|wJalr|AKIDEXAMPLE/)
    assert.deepEqual(await reasonOf(open({ bucket: 'not-there' }).delete(location)), [5022, 'NoSuchBucket'])
    assert.deepEqual(await reasonOf(open({ bucket: 'not-there' }).get(location)), [5022, 'NoSuchBucket'])
    await server.fail({ on: 'get', kind: 'redirect', location: 'http://169.254.169.254/' })
    assert.deepEqual(await reasonOf(open().get(location)), [5022, 'redirected'])
  })

  it('are given and taken by signed links, which say what they are for and for how long', async () => {
    const volume = open({ acl: 'private' })
    const put = await volume.presignPut!(location, { seconds: 60, contentType: 'text/plain' })
    assert.equal((await fetch(put.url, { method: put.method, headers: put.headers, body: 'by link' })).status, 200)
    const disposition = `attachment; filename="a b+c.txt"; filename*=UTF-8''%E4%B8%AD.txt`
    const options = {
      seconds: 60,
      contentType: 'text/html; charset=utf-8',
      disposition,
      query: { 'x-oss-process': 'image/resize,w_100' },
    }
    const url = await volume.presignGet!(location, options)
    const answer = await fetch(url)
    assert.deepEqual(
      [
        answer.status,
        await answer.text(),
        answer.headers.get('content-disposition'),
        answer.headers.get('content-type'),
      ],
      [200, 'by link', disposition, 'text/html; charset=utf-8'],
    )
    for (const changed of [
      url.replace('w_100', 'w_999'),
      url.replace('Expires=60', 'Expires=6000'),
      url.replace('0190', '0191'),
    ]) {
      assert.notEqual(changed, url)
      assert.equal((await fetch(changed)).status, 403)
    }
    const asPut = await fetch(url, { method: 'PUT', body: 'x' })
    assert.equal(asPut.status, 403)
  })

  it('have no names but safe ones', async () => {
    for (const name of ['../x', 'a/../b', '/a/b', 'a', 'a/b c', 'a/ä', 'a//b', 'a/.b', `a/${'b'.repeat(400)}`]) {
      await assert.rejects(open().delete(name), { code: 5003 })
    }
  })
})
