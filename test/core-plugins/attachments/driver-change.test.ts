import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'mocha'
import { request } from 'undici'
import type { Body } from '../../support/api.ts'
import { pathOf, preflight, sha256, textOf, upload, uploaded } from '../../support/attachments.ts'
import { picture } from '../../support/pictures.ts'
import { dataOf } from '../../support/platform.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setGroup, setupStorageWorld, type StorageWorld } from '../../support/storage-world.ts'
import { beginTus, patchTus } from '../../support/tus.ts'
import { until } from '../../support/until.ts'

const megabyte = 1_048_576
const zip = (bytes: number): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(bytes - 4)])

describe('attachments of a tenant that changes where its files go', () => {
  let world: StorageWorld
  before(async () => {
    world = await setupStorageWorld()
    await setGroup(world.admin, 'platform_storage', { chunk_size_mb: 1 })
    const { secret_access_key: secret, ...config } = world.s3.config()
    assert.equal(secret, s3Secret)
    await setGroup(world.admin, 'platform_tenant_storage', {
      tenant_storage_profiles: [{ id: 'eu', name: 'Europe', driver: 's3', config }],
      tenant_storage_profile_secrets: { 'eu.secret_access_key': s3Secret },
    })
  })
  after(() => world[Symbol.asyncDispose]())

  const choose = async (chosen: object): Promise<void> =>
    void dataOf(await world.owner.put('/tenant/configs/storage', chosen))
  const announce = async (name: string, content: Buffer): Promise<Body> =>
    dataOf(await preflight(world.owner, name, content))
  const chunk = (announced: Body, index: number, content: Buffer) => {
    const fields = { upload_id: textOf(announced['upload_id']), chunk_index: String(index) }
    return upload(world.owner, { fields, content: content.subarray(index * megabyte, (index + 1) * megabyte) })
  }
  const complete = (announced: Body) =>
    upload(world.owner, { fields: { upload_id: textOf(announced['upload_id']), complete: 'true' } })
  const sendDirect = async (announced: Body, content: Buffer): Promise<number> => {
    const link = announced['direct'] as unknown as { method: 'PUT'; url: string; headers: Record<string, string> }
    const answer = await request(link.url, { ...link, body: content })
    await answer.body.dump()
    return answer.statusCode
  }
  /** What whoever has the link of a record gets in the end, and whether that came from elsewhere. */
  const follow = async (record: Body): Promise<readonly [boolean, Buffer]> => {
    const own = world.platform.host.url + pathOf(record['access_url'])
    const first = await request(own)
    const bytes = Buffer.from(await first.body.arrayBuffer())
    if (first.statusCode === 200) return [false, bytes]
    assert.equal(first.statusCode, 302)
    const there = await request(textOf(first.headers['location']))
    assert.equal(there.statusCode, 200)
    return [true, Buffer.from(await there.body.arrayBuffer())]
  }

  it('stay reachable where they are, and uploads that had begun end whole', async () => {
    const photo = await picture(120, 90).jpeg().toBuffer()
    const [chunked, resumed, direct, small] = [zip(1.5 * megabyte), zip(3000), zip(2000), zip(1000)]
    const near = await uploaded(world.owner, 'near.jpg', photo, { visibility: 'public' })
    const chunks = await announce('chunked.zip', chunked)
    await chunk(chunks, 0, chunked)
    const begun = await beginTus(world.owner, resumed.length, { filename: 'resumed.zip' })
    const tus = textOf(begun.headers['location'])
    assert.equal((await patchTus(world.owner, tus, 0, resumed.subarray(0, 1000))).status, 204)

    await choose({ profile_id: 'eu' })
    const rules = dataOf(await world.owner.get('/attachments/upload-rules'))
    assert.deepEqual([rules['driver'], rules['direct_upload']], ['s3', true])
    const far = await uploaded(world.owner, 'far.jpg', await picture(90, 120).jpeg().toBuffer())
    const ended = dataOf(await chunk(chunks, 1, chunked), 201)
    const last = await patchTus(world.owner, tus, 1000, resumed.subarray(1000))
    const made = dataOf(await world.owner.get(`/attachments/${textOf(last.headers['attachment-id'])}`))
    const announced = await announce('direct.zip', direct)
    assert.equal(announced['mode'], 'direct')
    const known = (await announce('again.jpg', photo))['attachment'] as unknown as Body
    assert.equal(known['driver'], 'local')

    await choose({ driver: null })
    assert.equal(await sendDirect(announced, direct), 200)
    const sent = dataOf(await complete(announced), 201)
    const back = await uploaded(world.owner, 'back.zip', small)

    const all = { near, far, ended, made, known, sent, back }
    const whole = await Promise.all(
      Object.entries(all).map(async ([name, record]) => {
        const [isElsewhere, bytes] = await follow(record)
        return [name, record['driver'], isElsewhere, sha256(bytes) === textOf(record['hash'])] as const
      }),
    )
    assert.deepEqual(whole, [
      ['near', 'local', false, true],
      ['far', 's3', true, true],
      ['ended', 's3', true, true],
      ['made', 's3', true, true],
      ['known', 'local', false, true],
      ['sent', 'local', false, true],
      ['back', 'local', false, true],
    ])
    for (const { id } of [near, far]) {
      const image = await request(`${world.platform.host.url}/api/public/attachments/${textOf(id)}/image?p=thumb`, {
        headers: { authorization: `Bearer ${textOf(world.owner.token)}` },
      })
      await image.body.dump()
      assert.deepEqual([image.statusCode, image.headers['content-type']], [200, 'image/jpeg'])
    }
    for (const { id } of Object.values(all)) dataOf(await world.owner.delete(`/attachments/${textOf(id)}`))
    // What was sent in pieces and by a link goes too, from both places.
    await until(async () => (await world.s3.state()).objects.length === 0)
    const rows = world.platform.host.kernel.database.knex('attachment_blobs').queryContext({ tenant: 'all' })
    await until(async () => (await rows.clone()).length === 0)
  })
})
