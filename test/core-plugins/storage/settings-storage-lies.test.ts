import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGuardedFetch } from '#kernel'
import { S3Client } from '../../../core-plugins/storage/drivers/s3/s3-client.ts'
import { readS3Settings } from '../../../core-plugins/storage/drivers/s3/s3-settings.ts'
import { createS3Volume } from '../../../core-plugins/storage/drivers/s3/s3-volume.ts'
import type { StorageVolume } from '../../../core-plugins/storage/contract.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { endless, startLyingS3, type Lie, type LyingS3 } from '../../support/lying-s3.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { setGroup, stepsOf } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'

const megabyte = 1_048_576
const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(100)}">]><Error><Code>&b;</Code></Error>`
const answer =
  (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string | number>> = {}): Lie =>
  (response) =>
    void response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body)

describe('a storage service that lies', () => {
  const stack = new AsyncDisposableStack()
  let service: LyingS3
  let platform: Platform
  let volume: StorageVolume
  before(async () => {
    service = stack.use(await startLyingS3())
    const near = `127.0.0.1:${service.port}`
    platform = stack.use(await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: near } }))
    const client = stack.use(createGuardedFetch({ egressAllowPrivate: new Set([near]), dnsServers: [] }))
    const settings = readS3Settings({ presign_ttl: 60, image_process: 'none', ...config() })
    volume = createS3Volume(new S3Client(settings, client, { retries: 0, firstWaitMs: 1 }))
  })
  after(() => stack.disposeAsync())
  beforeEach(() => service.tell({}))

  const config = () => ({
    provider: 'minio',
    endpoint: `http://127.0.0.1:${service.port}`,
    region: 'eu-test-1',
    bucket: 'stoa-test',
    access_key_id: 'AKIDEXAMPLE',
    secret_access_key: 'a secret that nobody sees',
  })
  const test = () => platform.admin.post('/configs/storage/test-connection', { driver: 's3', config: config() })
  const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      ({ code, details }: { code?: number; details?: { reason?: string } }) => [code, details?.reason],
    )

  it('is believed as long as it does what it is asked for', async () => {
    assert.equal(dataOf(await test())['ok'], true)
  })

  const told = { 'content-length': 10 ** 12 }
  const lies: readonly (readonly [name: string, lies: Readonly<Record<string, Lie>>, failed: string])[] = [
    ['an object without end', { get: endless(told) }, 'get: wrong_content'],
    ['an object without end and length', { get: endless({}) }, 'get: no_length'],
    ['a longer object', { get: answer(200, Buffer.alloc(megabyte)) }, 'get: wrong_content'],
    ['a shorter object', { get: answer(200, 'x') }, 'get: wrong_content'],
    ['another length', { head: answer(200, '', { 'content-length': 7 }) }, 'head: wrong_content'],
    ['no length', { head: answer(200, '', { 'content-length': '1e3' }) }, 'head: connection_failed'],
    ['an error without end', { put: endless({ 'content-type': 'application/xml' }, 403) }, 'put: status'],
    ['an error that unfolds', { put: answer(403, bomb) }, 'put: status'],
    ['success without end', { put: endless({}), get: answer(200, 'x') }, 'get: wrong_content'],
    ['a redirect', { get: answer(302, '', { location: 'http://169.254.169.254/' }) }, 'get: redirected'],
    ['headers without end', { head: answer(200, '', { 'x-a': 'a'.repeat(200_000) }) }, 'head: response_invalid'],
  ]
  for (const [name, lie, failed] of lies) {
    it(`is found out and read no further: ${name}`, async () => {
      service.tell(lie)
      const result = await test()
      const step = stepsOf(result).find((text) => text.includes(':'))
      assert.deepEqual([result.status, dataOf(result)['ok'], step], [200, false, failed])
      assert.doesNotMatch(JSON.stringify(result.body), /a secret that|169\.254/)
      // What the sockets between them hold, and no more.
      assert.ok(service.sent() < 16 * megabyte, `${service.sent()} bytes were taken`)
    })
  }

  it('gives no part but the one that was asked for', async () => {
    const wrong = [
      answer(200, Buffer.alloc(20)),
      answer(206, Buffer.alloc(20), { 'content-range': 'bytes 0-19/1024' }),
      answer(206, Buffer.alloc(20), { 'content-range': 'bytes 10-28/1024' }),
      answer(206, Buffer.alloc(20)),
    ]
    const found: unknown[] = []
    for (const lie of wrong) {
      service.tell({ get: lie })
      found.push(await reasonOf(volume.get('ab/c', { range: { start: 10, end: 29 } })))
    }
    const wrongRange = [5022, 'wrong_range']
    assert.deepEqual(found, [[5022, 'status'], wrongRange, wrongRange, wrongRange])
    service.tell({ get: answer(206, Buffer.alloc(5), { 'content-range': 'bytes 10-29/1024' }) })
    const short = await volume.get('ab/c', { range: { start: 10, end: 29 } })
    assert.deepEqual(await reasonOf(buffer(short!.content)), [5022, 'wrong_length'])
  })

  it('takes no upload in parts that it does not confirm', async () => {
    const large = (): Readable => Readable.from([Buffer.alloc(9 * megabyte)])
    const said = (xml: string): Lie => answer(200, xml)
    for (const [post, reason] of [
      [said(''), 'no upload id'],
      [said(bomb), 'no upload id'],
      [said(`<UploadId>${'a'.repeat(2000)}</UploadId>`), 'no upload id'],
      [said('<UploadId>a</UploadId>'), 'a part without an ETag'],
    ] as const) {
      service.tell({ post })
      assert.deepEqual(await reasonOf(volume.put('ab/c', large())), [5022, reason])
    }
    service.tell({ post: said('<UploadId>a</UploadId>'), put: answer(200, '', { etag: '"e"' }), head: answer(404) })
    assert.deepEqual(await reasonOf(volume.put('ab/c', large())), [5022, 'not completed'])
  })

  it('never has the only copy of a plugin’s package', async () => {
    const asked: string[] = []
    const note = (name: string, lie: Lie): Lie => {
      return (response, body) => {
        asked.push(name)
        lie(response, body)
      }
    }
    const other: Lie = (response, body) => answer(200, Buffer.alloc(body.length))(response, body)
    service.tell({ get: note('get', other), delete: note('delete', answer(204)) })
    const useIt = (more: object) =>
      setGroup(platform.admin, 'platform_storage', { storage_driver: 's3', storage_config: { ...config(), ...more } })
    await useIt({})
    dataOf(await upload(platform.admin, await packSmall('acme.kept')), 201)
    await until(() => asked.includes('delete'))
    const chunks = async (): Promise<number> => {
      const rows: unknown = await platform.host.kernel.database.knex('plugin_release_chunks').select('position')
      return (rows as readonly object[]).length
    }
    assert.deepEqual([asked, await chunks()], [['get', 'delete'], 1])
    service.tell({})
    await useIt({ presign_ttl: 61 })
    await until(async () => (await chunks()) === 0)
  })
})
