import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import type { Answer, Api } from '../../support/api.ts'
import { bytesAt, textOf } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { filesBelow } from '../../support/storage.ts'
import { beginTus, patchTus, tusHeaders, tusMetadata, tusPath } from '../../support/tus.ts'
import { until } from '../../support/until.ts'

const bytesType = 'application/offset+octet-stream'
const content = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(96)])
const said = { filename: 'a.zip' }
const codeOf = ({ status, body }: Answer): unknown => (status < 400 ? status : body['code'])
const digest = (algorithm: string, bytes: Buffer): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`

describe('tus', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
  })
  after(() => platform[Symbol.asyncDispose]())

  const begin = async (more = {}): Promise<string> => {
    const answer = await beginTus(owner, content.length, said, more)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return textOf(answer.headers['location'])
  }
  const offsetOf = async (path: string): Promise<unknown> => {
    const { status, headers } = await owner.call('HEAD', path, { headers: tusHeaders() })
    return status === 200 ? Number(headers['upload-offset']) : status
  }

  it('says to OPTIONS what it can', async () => {
    for (const path of [tusPath, `${tusPath}/x`]) {
      const { status, headers } = await platform.host.api.call('OPTIONS', path)
      const told = ['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'tus-checksum-algorithm']
      assert.deepEqual(
        [status, ...told.map((name) => headers[name])],
        [
          ...[
            204,
            '1.0.0',
            '1.0.0',
            'creation,creation-defer-length,creation-with-upload,checksum,expiration,termination',
          ],
          ...[String(50 * 1_048_576), 'sha256,sha1'],
        ],
      )
    }
  })

  it('tells how far an upload is, and until when', async () => {
    const path = await begin()
    assert.equal((await patchTus(owner, path, 0, content.subarray(0, 30))).status, 204)
    const { status, headers } = await owner.call('HEAD', path, { headers: tusHeaders() })
    const { 'upload-expires': expires, ...rest } = headers
    assert.ok(Date.parse(textOf(expires)) > Date.now() + 23 * 3_600_000)
    const told = [
      'upload-offset',
      'upload-length',
      'upload-metadata',
      'cache-control',
      'tus-resumable',
      'attachment-id',
    ]
    assert.deepEqual(
      [status, ...told.map((name) => rest[name])],
      [200, '30', '100', tusMetadata(said), 'no-store', '1.0.0', undefined],
    )
    const last = await patchTus(owner, path, 30, content.subarray(30))
    const id = textOf(last.headers['attachment-id'])
    assert.deepEqual(await bytesAt(owner, `/attachments/${id}/download`), content)
    const again = await owner.call('HEAD', path, { headers: tusHeaders() })
    assert.deepEqual([again.headers['attachment-id'], again.headers['upload-offset']], [id, '100'])
    assert.equal(codeOf(await patchTus(owner, path, 100, Buffer.alloc(1))), 4130)
  })

  it('refuses what does not fit', async () => {
    const path = await begin()
    const other = await createUser(owner, 'acme', ['user_attachment:*'])
    const reader = await createUser(owner, 'acme', ['user_attachment:read'])
    const patch = (headers: Record<string, string>): Promise<Answer> =>
      owner.call('PATCH', path, { body: content, headers: { ...headers, 'upload-offset': '0' } })
    const create = (headers: Record<string, string>): Promise<Answer> =>
      owner.post(tusPath, undefined, { headers: tusHeaders(headers) })
    const old = await patch({ 'content-type': bytesType, 'tus-resumable': '0.2.2' })
    assert.deepEqual([codeOf(old), old.headers['tus-version'], old.headers['tus-resumable']], [4120, '1.0.0', '1.0.0'])
    assert.equal(codeOf(await patch({ 'content-type': bytesType })), 4120)
    assert.equal(codeOf(await patch(tusHeaders({ 'content-type': 'application/octet-stream' }))), 4150)
    assert.equal(codeOf(await owner.call('PATCH', path, { headers: tusHeaders({ 'content-type': bytesType }) })), 4220)
    const conflict = await patchTus(owner, path, 7, content)
    assert.deepEqual([codeOf(conflict), conflict.body['details']], [4098, { cause: 'offset', offset: 0 }])
    assert.equal(codeOf(await patchTus(owner, path, 0, Buffer.concat([content, content]))), 4130)
    assert.equal(codeOf(await patchTus(other, path, 0, content)), 4045)
    assert.equal(codeOf(await beginTus(reader, 10, said)), 4031)
    assert.equal(codeOf(await owner.post(path, undefined, { headers: tusHeaders() })), 4050)
    const metadata = { 'upload-metadata': tusMetadata(said) }
    assert.equal(codeOf(await create({ ...metadata })), 4220)
    assert.equal(codeOf(await create({ ...metadata, 'upload-length': '1', 'upload-defer-length': '1' })), 4220)
    assert.equal(codeOf(await create({ ...metadata, 'upload-length': '-1' })), 4220)
    assert.equal(codeOf(await create({ 'upload-length': '1', 'upload-metadata': 'filename ???' })), 4220)
    assert.equal(codeOf(await create({ 'upload-length': '1' })), 4220)
    assert.equal(codeOf(await create({ ...metadata, 'upload-length': '1', 'upload-concat': 'partial' })), 4000)
    assert.equal(await offsetOf(path), 0)
    assert.equal(codeOf(await owner.delete(path, { headers: tusHeaders() })), 204)
    assert.deepEqual([await offsetOf(path), codeOf(await patchTus(owner, path, 0, content))], [404, 4045])
  })

  it('keeps bytes of another checksum out, all of them', async () => {
    const path = await begin()
    const half = content.subarray(0, 50)
    for (const algorithm of ['sha1', 'sha256']) {
      const wrong = { 'upload-checksum': digest(algorithm, content) }
      const refused = await patchTus(owner, path, 0, half, wrong)
      assert.deepEqual([refused.status, codeOf(refused), await offsetOf(path)], [460, 4600, 0])
    }
    assert.equal(codeOf(await patchTus(owner, path, 0, half, { 'upload-checksum': digest('md5', half) })), 4220)
    assert.equal(codeOf(await patchTus(owner, path, 0, half, { 'upload-checksum': digest('sha1', half) })), 204)
    const rest = content.subarray(50)
    const last = await patchTus(owner, path, 50, rest, { 'upload-checksum': digest('sha256', rest) })
    assert.match(textOf(last.headers['attachment-id']), /^[0-9a-f-]{36}$/)
  })

  it('keeps what came before a connection broke, unless a checksum was to come true', async () => {
    for (const [more, kept] of [[{}, 40] as const, [{ 'upload-checksum': digest('sha1', content) }, 0] as const]) {
      const path = await begin()
      const sent = request(`${owner.url}${path}`, {
        method: 'PATCH',
        headers: {
          ...tusHeaders({ authorization: `Bearer ${textOf(owner.token)}`, 'content-type': bytesType }),
          ...{ 'upload-offset': '0', 'content-length': '100', ...more },
        },
      })
      sent.on('error', () => undefined)
      sent.write(content.subarray(0, 40))
      const incoming = () => filesBelow(join(platform.host.dataDir, 'storage', 'incoming'))
      await until(async () => (await incoming()).length === 1)
      sent.destroy()
      await until(async () => (await incoming()).length === 0)
      if (kept > 0) await until(async () => (await offsetOf(path)) === kept)
      const last = await patchTus(owner, path, kept, content.subarray(kept))
      assert.match(textOf(last.headers['attachment-id']), /^[0-9a-f-]{36}$/)
    }
  })

  it('lets one of several go on who send the same part at once', async () => {
    const path = await begin()
    const answers = await Promise.all([0, 1, 2, 3].map(() => patchTus(owner, path, 0, content.subarray(0, 60))))
    assert.deepEqual(answers.map(codeOf).sort(), [204, 4098, 4098, 4098])
    const last = await patchTus(owner, path, 60, content.subarray(60))
    const id = textOf(last.headers['attachment-id'])
    assert.deepEqual(await bytesAt(owner, `/attachments/${id}/download`), content)
  })

  it('does not go on where the tenant has switched uploads off since', async () => {
    const path = await begin()
    const allow = async (file_upload: boolean): Promise<void> =>
      void dataOf(await owner.put('/configs/groups/tenant_feature', { file_upload }))
    await allow(false)
    const refused = [await beginTus(owner, 10, said), await patchTus(owner, path, 0, content)]
    assert.deepEqual([...refused.map(codeOf), await offsetOf(path)], [4036, 4036, 0])
    await allow(true)
    assert.equal(codeOf(await patchTus(owner, path, 0, content)), 204)
  })

  it('makes an empty file at once, and forgets what has expired', async () => {
    const empty = await beginTus(owner, 0, { filename: 'empty.txt' })
    const id = textOf(empty.headers['attachment-id'])
    assert.equal(dataOf(await owner.get(`/attachments/${id}`))['size'], 0)
    const path = await begin()
    const { knex } = platform.host.kernel.database
    const over = { expires_at: new Date(Date.now() - 1000) }
    const row = knex('attachment_uploads').where({ id: path.split('/').at(-1) })
    await row.update(over).queryContext({ tenant: 'all' })
    assert.equal(codeOf(await patchTus(owner, path, 0, content)), 4045)
  })
})
