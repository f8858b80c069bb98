import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { request } from 'undici'
import { attachmentFiles } from '../../../core-plugins/attachments/contract.ts'
import { sweepUploads } from '../../../core-plugins/attachments/uploads/sweep.ts'
import { storageDrivers, storageVolumes } from '../../../core-plugins/storage/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { bytesAt, pathOf, preflight, sha256, textOf, upload, uploaded } from '../../support/attachments.ts'
import { silentLog } from '../../support/kernel.ts'
import { picture } from '../../support/pictures.ts'
import { createTenant, dataOf, refusalOf } from '../../support/platform.ts'
import { memoryDriver } from '../../support/storage.ts'
import { setGroup, setupStorageWorld, type StorageWorld } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'

const text = Buffer.from('0123456789')

describe('attachments in a bucket', () => {
  let world: StorageWorld
  before(async () => {
    world = await setupStorageWorld()
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })
  after(() => world[Symbol.asyncDispose]())

  const access = (record: Body, headers = {}): Promise<Answer> =>
    world.owner.get(`/api/public/attachments/${textOf(record['id'])}/access`, { headers })
  const announce = async (name: string, content: Buffer): Promise<Body> =>
    dataOf(await preflight(world.owner, name, content))
  const put = async (announced: Body, content: Buffer): Promise<number> => {
    const { method, url, headers } = announced['direct'] as unknown as {
      method: 'PUT'
      url: string
      headers: Record<string, string>
    }
    const answer = await request(url, { method, headers, body: content })
    await answer.body.dump()
    return answer.statusCode
  }
  const complete = (announced: Body): Promise<Answer> =>
    upload(world.owner, { fields: { upload_id: textOf(announced['upload_id']), complete: 'true' } })

  it('are given by a link to where they lie, also when new files go elsewhere', async () => {
    const record = await uploaded(world.owner, 'far.txt', text)
    assert.equal(record['driver'], 's3')
    await setGroup(world.admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
    assert.equal((await uploaded(world.owner, 'near.txt', Buffer.from('near')))['driver'], 'local')
    const { status, headers } = await access(record)
    assert.deepEqual([status, headers['cache-control']], [302, 'private, max-age=3540'])
    const bytes = await request(textOf(headers['location']))
    assert.deepEqual(
      [await bytes.body.text(), /^attachment/.test(String(bytes.headers['content-disposition']))],
      ['0123456789', true],
    )
    const { redirect_url } = dataOf(await access(record, { accept: 'application/json' }))
    assert.match(textOf(redirect_url), /X-Amz-Signature=/)
    const { kind, url } = dataOf(await world.owner.get(`/attachments/${textOf(record['id'])}/preview-url`))
    assert.equal(kind, 'external')
    assert.deepEqual(await bytesAt(world.owner.at('').as(''), textOf(url)), text)
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
    assert.equal(dataOf(await world.owner.delete(`/attachments/${textOf(record['id'])}`))['deleted'], true)
    await until(async () => (await world.s3.state()).objects.every(({ sha256: hash }) => hash !== sha256(text)))
  })

  it('are given by no link that is good for longer than the one that was brought', async () => {
    const { id, tenant_id } = await uploaded(world.owner, 'brief.txt', Buffer.from('brief'))
    const files = world.platform.host.kernel.services.get(attachmentFiles)
    const { url } = await files.link({ tenantId: Number(tenant_id), id: textOf(id) }, { ttlSeconds: 60 })
    const left = Number(new URL(url).searchParams.get('exp')) - Date.now() / 1000
    const { headers } = await world.platform.host.api.get(pathOf(url))
    const given = Number(new URL(textOf(headers['location'])).searchParams.get('X-Amz-Expires'))
    assert.ok(given > 0 && given <= Math.ceil(left), `${given} of ${left} seconds`)
  })

  it('are sent there by their sender, and looked at before they count', async () => {
    const announced = await announce('direct.txt', text)
    assert.equal(announced['mode'], 'direct')
    assert.equal(refusalOf(await complete(announced)).code, 4098)
    assert.equal(await put(announced, text), 200)
    const record = dataOf(await complete(announced), 201)
    assert.deepEqual([record['hash'], record['driver'], record['filename']], [sha256(text), 's3', 'direct.txt'])
    assert.equal(dataOf(await complete(announced), 201)['id'], record['id'])
    // What is sent by the link afterwards changes nothing of the attachment.
    await put(announced, Buffer.from('9876543210'))
    const { headers } = await access(record)
    assert.equal(await (await request(textOf(headers['location']))).body.text(), '0123456789')
  })

  it('are sent there as long as announced, and of that kind', async () => {
    const announced = await announce('long.txt', Buffer.from('as long as this'))
    assert.equal(await put(announced, Buffer.from('as long as this and more')), 403)
    const { headers, ...link } = announced['direct'] as unknown as { headers: Record<string, string> }
    const otherKind = { ...announced, direct: { ...link, headers: { ...headers, 'content-type': 'text/html' } } }
    assert.equal(await put(otherKind as unknown as Body, Buffer.from('as long as this')), 403)
    assert.equal(await put(announced, Buffer.from('as long as this')), 200)
  })

  it('that are given up count as long as the link is good, and what is sent by it then is swept', async () => {
    const content = Buffer.from('given up, and sent all the same')
    const { kernel } = world.platform.host
    const used = async () =>
      (dataOf(await world.owner.get('/attachments/upload-rules'))['quota'] as unknown as { used: number }).used
    const sweep = () =>
      sweepUploads({ db: kernel.database.knex, log: silentLog, volumes: kernel.services.get(storageVolumes) })
    const isThere = async () => (await world.s3.state()).objects.some(({ sha256: hash }) => hash === sha256(content))
    const before = await used()
    const announced = await announce('given-up.txt', content)
    const id = textOf(announced['upload_id'])
    dataOf(await world.owner.delete(`/attachments/uploads/${id}`))
    await sweep()
    assert.equal(await put(announced, content), 200)
    assert.equal(refusalOf(await complete(announced)).code, 4098)
    assert.deepEqual([await used(), await isThere()], [before + content.length, true])
    const row = kernel.database.knex('attachment_uploads').where({ id }).queryContext({ tenant: 'all' })
    await row.clone().update({ link_expires_at: new Date(0) })
    await sweep()
    assert.deepEqual([await used(), await isThere(), await row], [before, false, []])
  })

  it('have images made where they lie, by links that the bucket takes', async () => {
    const content = await picture(60, 40).png().toBuffer()
    const marks = { oss: 'x-oss-process=image', cos: 'imageMogr2', qiniu: 'imageView2' }
    for (const [kind, mark] of Object.entries(marks)) {
      const config = world.s3.config({ image_process: kind })
      await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: config })
      const { id } = await uploaded(world.owner, 'a.png', content, { visibility: 'public' })
      const image = `/api/public/attachments/${textOf(id)}/image`
      const { status, headers } = await world.platform.host.api.get(`${image}?w=30&h=20&m=crop&f=webp`)
      const location = textOf(headers['location'])
      assert.deepEqual([status, decodeURIComponent(location).includes(mark)], [302, true], location)
      assert.equal((await request(location)).statusCode, 200, kind)
      // What the bucket cannot make is made here.
      const made = await world.platform.host.api.get(`${image}?w=30&h=20&m=pad&f=webp`)
      assert.deepEqual([made.status, made.headers['content-type']], [200, 'image/webp'])
    }
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })

  it('have images made by imgproxy, to which signed links lead', async () => {
    const proxy = { imgproxy_url: 'https://img.test', imgproxy_key: 'ab12', imgproxy_salt_key: 'cd34' }
    const config = world.s3.config({ image_process: 'imgproxy', ...proxy })
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: config })
    const content = await picture(60, 40).png().toBuffer()
    const { id } = await uploaded(world.owner, 'a.png', content, { visibility: 'public' })
    const image = `/api/public/attachments/${textOf(id)}/image?w=30&h=20&m=crop&f=webp`
    const { status, headers } = await world.platform.host.api.get(image)
    const { origin, pathname } = new URL(textOf(headers['location']))
    assert.deepEqual([status, origin, headers['cache-control']], [302, 'https://img.test', 'private, max-age=3540'])
    assert.match(pathname, /^\/[\w-]{43}\/rs:fill:30:20:1:0\/g:ce\/.*f:webp/)
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })

  it('go with their tenant, also where their upload had not ended', async () => {
    const content = Buffer.from('nobody will end this')
    const gone = await createTenant(world.admin, 'gone')
    const announced = dataOf(await preflight(gone.owner, 'gone.txt', content))
    assert.equal(await put(announced, content), 200)
    const isThere = async () => (await world.s3.state()).objects.some(({ sha256: hash }) => hash === sha256(content))
    assert.ok(await isThere())
    dataOf(await world.admin.delete(`/admin/tenants/${gone.id}`))
    await until(async () => !(await isThere()))
    // The link is good for a while, and what is sent by it then is found when it ends.
    const { kernel } = world.platform.host
    const { knex: db } = kernel.database
    const left = db('attachment_uploads').where({ tenant_id: gone.id }).queryContext({ tenant: 'all' })
    await until(async () => {
      const [row] = (await left.clone()) as readonly { filename: string; expires_at: Date }[]
      return row?.filename === '' && row.expires_at > new Date()
    })
    assert.equal(await put(announced, content), 200)
    await left.clone().update({ expires_at: new Date(0), link_expires_at: new Date(0) })
    await sweepUploads({ db, log: silentLog, volumes: kernel.services.get(storageVolumes) })
    assert.deepEqual([await isThere(), await left], [false, []])
  })

  it('are refused where what was sent is something else', async () => {
    const content = Buffer.from('this was announced')
    const announced = await announce('other.txt', content)
    await put(announced, Buffer.from('this was not annou'))
    assert.deepEqual(refusalOf(await complete(announced)).code, 4008)
    assert.equal(refusalOf(await complete(announced)).code, 4098)
    const chunked = { upload_id: textOf(announced['upload_id']), chunk_index: '0' }
    assert.equal((await upload(world.owner, { fields: chunked, content })).status, 201)
  })

  it('say that the storage is not available where no link leads there', async () => {
    const { driver } = memoryDriver('memory')
    using registered = world.platform.host.kernel.services.get(storageDrivers).register(driver)
    assert.ok(registered)
    await setGroup(world.admin, 'platform_storage', { storage_driver: 'memory', storage_config: { shelf: 'b' } })
    const record = await uploaded(world.owner, 'kept.txt', Buffer.from('kept'))
    const wanted = { status: 404, code: 4043, reason: 'storage_configuration_unavailable' }
    assert.deepEqual(refusalOf(await access(record)), wanted)
    assert.deepEqual(refusalOf(await world.owner.get(`/attachments/${textOf(record['id'])}/download`)), wanted)
    await setGroup(world.admin, 'platform_storage', { storage_base_url: 'http://files.test/x' })
    const { status, headers } = await access(record)
    assert.deepEqual([status, textOf(headers['location']).startsWith('http://files.test/x/')], [302, true])
    await setGroup(world.admin, 'platform_storage', { storage_base_url: world.platform.host.url })
    assert.deepEqual(refusalOf(await access(record)), wanted)
  })
})
