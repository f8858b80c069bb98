// @any-back-end
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'mocha'
import { request } from 'undici'
import { Api, type Answer, type Body } from '../../support/api.ts'
import { attachmentFaults, knownLocations } from '../../support/attachment-faults.ts'
import { preflight, sha256, textOf, upload, uploaded } from '../../support/attachments.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { setUp } from '../../support/first-run.ts'
import { freePort } from '../../support/free-port.ts'
import { startHostProcess } from '../../support/host-process.ts'
import { dataOf } from '../../support/platform.ts'
import { startS3Server, type S3Fault, type S3Server, type S3State } from '../../support/s3-server.ts'
import { until } from '../../support/until.ts'

describe('attachments in a bucket, of a host that is killed', function () {
  // Two starts of a platform, each as a process of its own, on a machine that does other things: the end of what hangs, no measure.
  this.timeout(420_000)
  let dataDir: string
  let backEnd: BackEnd
  let s3: S3Server
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-direct-'))
    backEnd = await startBackEnd()
    s3 = await startS3Server()
  })
  after(async () => {
    await s3[Symbol.asyncDispose]()
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  const complete = (by: Api, { upload_id }: Body): Promise<Answer> =>
    upload(by, { fields: { upload_id: textOf(upload_id), complete: 'true' } })

  /** Announces a file and puts it where the link leads. */
  async function sent(by: Api, name: string, content: Buffer): Promise<Body> {
    const announced = dataOf(await preflight(by, name, content))
    const { url, headers } = announced['direct'] as unknown as { url: string; headers: Record<string, string> }
    const answer = await request(url, { method: 'PUT', headers, body: content })
    await answer.body.dump()
    assert.equal(answer.statusCode, 200)
    return announced
  }

  /** Where an announced file waits in the bucket. */
  const keyOf = ({ direct }: Body): string =>
    decodeURIComponent(new URL(textOf(direct?.['url'])).pathname.split('/').slice(2).join('/'))

  /** What the bucket does until it is told otherwise, also when it is asked again after 10 s, as by a host on a busy machine. */
  const standing = new Map<string, S3Fault>()

  /**
   * Begins work and waits until it asks the bucket for this, which writes when whoever asked is gone, and deletes nothing. Where the work
   * before may ask for the same again, the key tells them apart.
   */
  async function begin(on: string, work: () => Promise<unknown>, key = ''): Promise<void> {
    await s3.state()
    standing.set(on, { on, kind: on === 'delete' ? 'unheard' : 'until-alone', times: 10 })
    await s3.fail(...standing.values())
    void work().catch(() => undefined)
    const isAsked = ({ seen, keys }: S3State) => seen.some((one, at) => one === on && keys[at]?.includes(key))
    await until(async () => isAsked(await s3.state()), 60_000)
  }

  it('are whole or go on, and all bytes in the bucket are known, whatever it was about', async () => {
    const database = textOf(backEnd.env['DATABASE_URL'])
    const reachable = { EGRESS_ALLOW_PRIVATE: `localhost:${s3.port},127.0.0.1:${s3.port}` }
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: { ...backEnd.env, ...reachable }, port })
    const first = await start()
    const { admin } = await setUp(first, dataDir)
    const settings = { storage_driver: 's3', storage_config: s3.config() }
    dataOf(await admin.put('/configs/groups/platform_storage', settings))
    const contents = ['read', 'written', 'tidied', 'deleted'].map((what) => Buffer.from(`is being ${what}`))
    const [read, written, tidied, deleted] = contents as [Buffer, Buffer, Buffer, Buffer]
    const gone = textOf((await uploaded(admin, 'deleted.txt', deleted))['id'])
    const uploads = {
      get: await sent(admin, 'read.txt', read),
      put: await sent(admin, 'written.txt', written),
      delete: await sent(admin, 'tidied.txt', tidied),
    }
    await begin('delete', () => admin.delete(`/attachments/${gone}`))
    await begin('delete', () => complete(admin, uploads.delete), keyOf(uploads.delete))
    await begin('put', () => complete(admin, uploads.put))
    await begin('get', () => complete(admin, uploads.get))
    await first.kill()
    await s3.fail()
    // The bucket has written by now what nobody waits for any more.
    const places = async () =>
      (await s3.state()).objects.filter((object) => object.sha256 === sha256(written)).map(({ key }) => key)
    await until(async () => (await places()).length === 2, 60_000).catch(async () => {
      assert.fail(`it lies at ${String(await places())}`)
    })
    assert.deepEqual(await attachmentFaults(database), [])
    await assertKnown(database)

    await using second = await start()
    const again = new Api(second.url, admin.token)
    for (const [announced, content] of [
      [uploads.get, read],
      [uploads.put, written],
      [uploads.delete, tidied],
    ] as const) {
      const record = dataOf(await complete(again, announced), 201)
      const { headers } = await again.get(`/attachments/${textOf(record['id'])}/download`)
      const bytes = await request(textOf(headers['location']))
      assert.deepEqual(Buffer.from(await bytes.body.arrayBuffer()), content)
    }
    assert.equal((await again.get(`/attachments/${gone}`)).body['code'], 4045)
    assert.deepEqual(await attachmentFaults(database), [])
    await assertKnown(database)
  })

  async function assertKnown(database: string): Promise<void> {
    const known = await knownLocations(database)
    const prefix = `${textOf(s3.config()['prefix'])}/`
    const lost = (await s3.state()).objects.filter(({ key }) => !known.has(key.slice(prefix.length)))
    assert.deepEqual(lost, [])
  }
})
