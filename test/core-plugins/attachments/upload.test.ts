// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'mocha'
import type { Api, Body } from '../../support/api.ts'
import { bytesAt, pathOf, preflight, sha256, textOf, upload, uploaded } from '../../support/attachments.ts'
import { runningKernel } from '../../support/auth.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { claimedPng, movingGif } from '../../support/pictures.ts'
import { png } from '../../support/png.ts'
import { misleadingNames, refusedUploads } from './unwanted-files.ts'

const uses = ['user_attachment:*']
const zipOf = (content: Buffer): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), content])
const onePixelPng = png(1, 1)

describe('an upload', () => {
  let platform: Platform
  let owner: Api
  let other: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    other = await createUser(owner, 'acme', uses)
  })
  after(() => platform[Symbol.asyncDispose]())

  const set = async (by: Api, group: string, values: object): Promise<void> =>
    void dataOf(await by.put(`/configs/groups/${group}`, values))

  it('of one file makes a record that tells everything of it', async () => {
    const content = Buffer.from('hello there')
    const record = await uploaded(owner, 'notes.txt', content, { hash: sha256(content) })
    const { id, owner_id, access_url, preview_url, created_at, updated_at, ...rest } = record
    assert.match(textOf(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.deepEqual(rest, {
      ...{
        tenant_id: rest['tenant_id'],
        org_id: null,
        filename: 'notes.txt',
        extension: 'txt',
        mime_type: 'text/plain',
      },
      ...{ size: 11, hash: sha256(content), hash_algorithm: 'sha256', visibility: 'private', usage: 'general' },
      ...{ driver: 'local', storage_ref: 'local', status: 'ready', width: null, height: null, duration: null },
      ...{ thumb_url: null, download_count: 0 },
    })
    assert.deepEqual(dataOf(await owner.get(`/attachments/${textOf(id)}`)), { ...record, access_url, preview_url })
    assert.deepEqual([typeof owner_id, created_at], ['number', updated_at])
    assert.deepEqual(await bytesAt(owner, `/attachments/${textOf(id)}/download`), content)
    assert.deepEqual(await bytesAt(owner.as(''), pathOf(access_url)), content)
  })

  it('takes what is said of the file before or behind it', async () => {
    const content = Buffer.from('a,b')
    const said = { visibility: 'tenant', usage: 'chat' }
    for (const form of [{ fields: said }, { after: said }]) {
      const { visibility, usage } = dataOf(await upload(owner, { name: 'a.csv', content, ...form }), 201)
      assert.deepEqual([visibility, usage], ['tenant', 'chat'])
    }
    const late = await upload(owner, { name: 'a.csv', content, after: { upload_id: sha256(content) } })
    assert.equal(refusalOf(late).code, 4220)
  })

  it('shows avatars and pictures of the configuration to everybody, and reads their size', async () => {
    const { visibility, width, height, thumb_url } = await uploaded(owner, 'me.png', onePixelPng, { usage: 'avatar' })
    assert.deepEqual([visibility, width, height], ['public', 1, 1])
    assert.match(textOf(thumb_url), /\/image\?p=thumb$/)
  })

  it('of an animation has its pictures counted, also where the bytes were known', async () => {
    const moving = movingGif(10_000)
    const fields = { visibility: 'public', usage: 'general' }
    const first = await uploaded(owner, 'moving.gif', moving, fields)
    const again = dataOf(await preflight(other, 'same.gif', moving, fields))['attachment'] as unknown as Body
    for (const { id } of [first, again]) {
      const image = await owner.as('').get(`/api/public/attachments/${textOf(id)}/image?w=8`)
      assert.equal(refusalOf(image).code, 4226)
      const row: unknown = await platform.host.kernel.database
        .knex('attachments')
        .queryContext({ tenant: 'all' })
        .first('frames')
        .where({ id: textOf(id) })
      assert.deepEqual(row, { frames: 10_000 })
    }
  })

  it('is refused for names, kinds and content that are not wanted', async () => {
    for (const { name, content, fields = {}, outcome } of refusedUploads) {
      const { status, body } = await upload(owner, { name, content, fields })
      assert.deepEqual([status, body['code'], body['details']?.['cause']], outcome, name)
    }
    assert.equal((await upload(owner, { fields: { usage: 'chat' } })).body['code'], 4220)
    assert.equal((await owner.post('/attachments/upload', { file: 'x' })).status, 415)
  })

  it('of a picture that claims more than any can have is taken without a size', async () => {
    for (const [width, height] of [
      [2 ** 31, 1],
      [1, 2 ** 32 - 1],
    ] as const) {
      const record = await uploaded(owner, 'a.png', claimedPng(width, height, 10))
      assert.deepEqual([record['width'], record['height']], [null, null])
    }
    const { width } = await uploaded(owner, 'a.png', claimedPng(2 ** 31 - 1, 1, 10))
    assert.equal(width, 2 ** 31 - 1)
  })

  it('keeps nothing of a path or of marks that mislead in a name', async () => {
    for (const [given, kept] of misleadingNames) {
      const { filename } = await uploaded(owner, given, Buffer.from('x'))
      assert.equal(filename, kept)
    }
    assert.equal(refusalOf(await preflight(owner, 'x\0y.txt', Buffer.from('nul'))).code, 4001)
  })

  it('is announced by its SHA-256 alone', async () => {
    const content = Buffer.from('announced')
    const refused = async (more: object): Promise<unknown> => {
      const { status, body } = await preflight(owner, 'a.txt', content, more)
      return [
        status,
        body['code'],
        body['reason'],
        (body['errors'] as unknown as readonly { field: string }[]).map(({ field }) => field),
      ]
    }
    const unsupported = [422, 4222, 'hash_algorithm_unsupported', ['hash_algorithm']]
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
    for (const more of [
      { hash_algorithm: 'md5', hash: md5 },
      { hash_algorithm: 'blake3' },
      { hash_algorithm: 'SHA256' },
      { hash_algorithm: '' },
    ])
      assert.deepEqual(await refused(more), unsupported)
    const invalid = [422, 4220, 'validation_failed', ['hash']]
    for (const more of [{ hash: md5 }, { hash: md5, hash_algorithm: 'sha256' }, { hash: '' }])
      assert.deepEqual(await refused(more), invalid)
    assert.equal(dataOf(await preflight(owner, 'a.txt', content, { hash_algorithm: 'sha256' }))['mode'], 'single')
  })

  it('is at once there only where the caller can read the same bytes', async () => {
    const content = randomBytes(100)
    const { id } = await uploaded(owner, 'secret.zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), content]))
    const same = Buffer.concat([Buffer.from('PK\u0003\u0004'), content])
    const [mine, theirs] = [await preflight(owner, 'again.zip', same), await preflight(other, 'again.zip', same)]
    const attachment = dataOf(mine)['attachment'] as Body
    assert.deepEqual([attachment['filename'], attachment['size'], attachment['id'] === id], ['again.zip', 104, false])
    assert.deepEqual([dataOf(theirs)['exists'], dataOf(theirs)['mode']], [false, 'single'])
    // Under another kind the bytes were never looked at.
    assert.equal(dataOf(await preflight(owner, 'again.docx', same))['exists'], false)
    await owner.delete(`/attachments/${textOf(id)}`)
    assert.deepEqual(await bytesAt(owner, `/attachments/${textOf(attachment['id'])}/download`), same)
    await uploaded(owner, 'shared.zip', same, { visibility: 'tenant' })
    assert.equal(dataOf(await preflight(other, 'again.zip', same))['instant'], true)
    // Who may upload and not read cannot make what the tenant has to something of everybody's, nor can another tenant.
    const blind = await createUser(owner, 'acme', ['user_attachment:upload'])
    const far = (await createTenant(platform.admin, 'far')).owner
    const open = { visibility: 'public' }
    for (const by of [blind, far]) assert.equal(dataOf(await preflight(by, 'again.zip', same, open))['exists'], false)
    await uploaded(owner, 'open.zip', same, open)
    assert.deepEqual(
      [dataOf(await preflight(blind, 'a.zip', same))['instant'], dataOf(await preflight(far, 'a.zip', same))['exists']],
      [true, false],
    )
  })

  it('is refused where the tenant takes none', async () => {
    await set(owner, 'tenant_feature', { file_upload: false })
    const outcomes = [
      await preflight(owner, 'a.txt', Buffer.from('x')),
      await upload(owner, { name: 'a.txt', content: Buffer.from('x') }),
    ]
    assert.deepEqual(
      outcomes.map((answer) => answer.body['code']),
      [4036, 4036],
    )
    assert.equal(dataOf(await owner.get('/attachments/upload-rules'))['enabled'], false)
    await set(owner, 'tenant_feature', { file_upload: true })
    const staff = await uploaded(platform.admin, 'logo.png', onePixelPng, { usage: 'config' })
    assert.deepEqual([staff['tenant_id'], staff['visibility']], [0, 'public'])
  })

  it('is refused beyond the largest size, announced or not', async () => {
    await set(platform.admin, 'platform_storage', { max_file_size_mb: 1 })
    const large = Buffer.alloc(1_048_577, 'x')
    assert.equal(refusalOf(await preflight(owner, 'a.txt', large)).code, 4008)
    assert.equal(refusalOf(await upload(owner, { name: 'a.txt', content: large })).code, 4130)
    await uploaded(owner, 'a.txt', large.subarray(1))
  })

  it('takes no more than there is room for, however many come at once', async () => {
    await set(platform.admin, 'platform_storage', { user_quota_mb: 1 })
    const user = await createUser(owner, 'acme', uses)
    const content = (): Buffer => Buffer.from(randomBytes(150_000).toString('hex'))
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload(user, { name: 'a.txt', content: content() })),
    )
    const codes = answers.map(({ status, body }) => (status === 201 ? 201 : body['code']))
    assert.deepEqual([...new Set(codes)].sort(), [201, 4297])
    const quota = dataOf(await user.get('/attachments/upload-rules'))['quota'] as unknown as {
      used: number
      limit: number
    }
    assert.deepEqual([quota.limit, quota.used], [1_048_576, codes.filter((code) => code === 201).length * 300_000])
    assert.equal(refusalOf(await preflight(user, 'b.txt', Buffer.alloc(1_000_000, 'y'))).code, 4297)
    await set(platform.admin, 'platform_storage', { user_quota_mb: 0, tenant_quota_mb: 1 })
    assert.equal(refusalOf(await preflight(other, 'b.txt', Buffer.alloc(1_000_000, 'y'))).code, 4297)
    await set(platform.admin, 'platform_storage', { tenant_quota_mb: 0 })
    assert.equal((await preflight(other, 'b.txt', Buffer.alloc(1_000_000, 'y'))).status, 200)
  })

  it('is announced so often at once, however small', async () => {
    const user = await createTenant(platform.admin, 'busy')
    const announced = dataOf(await preflight(user.owner, 'one.txt', Buffer.from('1')))
    const { knex } = platform.host.kernel.database
    await knex
      .raw(
        `insert into attachment_uploads select (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(), 'hash', n))).*
         from attachment_uploads u, generate_series(1, 999) n where u.id = ?`,
        [textOf(announced['upload_id'])],
      )
      .queryContext({ tenant: 'all' })
    const refused = await preflight(user.owner, 'two.txt', Buffer.from('2'))
    assert.deepEqual([refusalOf(refused).code, refused.body['details']], [4297, { of: 'uploads', limit: 1000 }])
    // Going on with one that is open is no other.
    assert.equal((await preflight(user.owner, 'one.txt', Buffer.from('1'))).status, 200)
  })

  it('of the same bytes at once needs no second connection of any, or all would wait for one', async () => {
    const content = randomBytes(1000)
    // Whatever is kept in memory may have to be read again at any moment.
    const { changes } = runningKernel({ test: platform.host })
    const forgetting = setInterval(() => changes.forgetAll(), 10)
    const sent = Array.from({ length: 12 }, () => upload(owner, { name: 'same.bin.zip', content: zipOf(content) }))
    const codes = (await Promise.all(sent).finally(() => clearInterval(forgetting))).map(({ status }) => status)
    assert.deepEqual([...new Set(codes)], [201])
  })
})
