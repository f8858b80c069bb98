import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, it } from 'mocha'
import type { Api } from '../../support/api.ts'
import { bytesAt, sha256, textOf } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { filesBelow } from '../../support/storage.ts'
import { tusPath, tusUpload } from '../../support/tus.ts'
import { until } from '../../support/until.ts'

const zip = (bytes: number): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(bytes)])

describe('an upload by tus-js-client', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    dataOf(await platform.admin.put('/configs/groups/platform_storage', { chunk_size_mb: 1 }))
  })
  after(() => platform[Symbol.asyncDispose]())

  const contentOf = (id: string): Promise<Buffer> => bytesAt(owner, `/attachments/${id}/download`)

  it('is an attachment once its last byte has come, and leaves no pieces', async () => {
    const content = zip(2_500_000)
    const metadata = { filename: 'a.zip', filetype: 'application/zip', visibility: 'tenant', hash: sha256(content) }
    const { upload, attachment } = tusUpload(owner, content, { metadata })
    upload.start()
    const id = await attachment
    const record = dataOf(await owner.get(`/attachments/${id}`))
    assert.deepEqual([record['filename'], record['size'], record['visibility']], ['a.zip', content.length, 'tenant'])
    assert.deepEqual(await contentOf(id), content)
    const progress = dataOf(await owner.get(`${tusPath}/${textOf(upload.url?.split('/').at(-1))}`))
    assert.deepEqual([progress['attachment_id'], progress['offset']], [id, content.length])
    await until(async () => (await filesBelow(path.join(platform.host.dataDir, 'storage'))).length === 1)
    dataOf(await owner.delete(`/attachments/${id}`))
  })

  it('goes on where it ended after a pause, and sends nothing twice', async () => {
    const content = zip(1_000_000)
    const sent: number[] = []
    const paused = Promise.withResolvers<void>()
    const { upload, attachment } = tusUpload(owner, content, {
      metadata: { filename: 'b.zip' },
      chunkSize: 200_000,
      onChunkComplete: (chunkBytes, accepted) => {
        sent.push(chunkBytes)
        if (accepted === 400_000) void upload.abort().then(() => paused.resolve())
      },
    })
    upload.start()
    await paused.promise
    upload.start()
    assert.deepEqual(await contentOf(await attachment), content)
    assert.equal(
      sent.reduce((sum, bytes) => sum + bytes, 0),
      content.length,
    )
  })

  it('comes with its announcement, as a stream of unknown length, or by POST alone', async () => {
    const content = zip(700_000)
    const metadata = { name: 'c.zip', type: 'application/zip' }
    const whole = tusUpload(owner, content, { metadata, uploadDataDuringCreation: true })
    const stream = Readable.from([content.subarray(0, 300_000), content.subarray(300_000)], { objectMode: false })
    const streamed = tusUpload(owner, stream as never, { metadata, uploadLengthDeferred: true, chunkSize: 250_000 })
    const overridden = tusUpload(owner, content, { metadata, overridePatchMethod: true })
    for (const { upload, attachment } of [whole, streamed, overridden]) {
      upload.start()
      assert.deepEqual(await contentOf(await attachment), content)
    }
  })

  it('is given up with all that was sent of it', async () => {
    const usedBy = async (): Promise<unknown> => {
      const { quota } = dataOf(await owner.get('/attachments/upload-rules'))
      return (quota as unknown as { used: number }).used
    }
    const used = await usedBy()
    const ended = Promise.withResolvers<void>()
    const { upload } = tusUpload(owner, zip(500_000), {
      metadata: { filename: 'd.zip' },
      chunkSize: 100_000,
      onChunkComplete: (_bytes, accepted) => {
        if (accepted === 200_000) upload.abort(true).then(ended.resolve, ended.reject)
      },
    })
    upload.start()
    await ended.promise
    assert.equal((await owner.get(new URL(textOf(upload.url)).pathname)).body['code'], 4045)
    assert.equal(await usedBy(), used)
  })

  it('of what is not taken is refused as every upload is', async () => {
    const codeOf = async (content: Buffer, filename: string, metadata = {}): Promise<unknown> => {
      const { upload, attachment } = tusUpload(owner, content, { metadata: { filename, ...metadata }, retryDelays: [] })
      upload.start()
      const error = await attachment.then(
        () => assert.fail('it was taken'),
        (fault: { originalResponse: { getBody(): string } }) => fault,
      )
      return (JSON.parse(error.originalResponse.getBody()) as { code: number }).code
    }
    assert.equal(await codeOf(zip(10), 'a.exe'), 4008)
    assert.equal(await codeOf(Buffer.from('<html>'), 'a.zip'), 4008)
    assert.equal(await codeOf(zip(10), 'a.zip', { hash: sha256(Buffer.from('other')) }), 4008)
    assert.equal(await codeOf(zip(10), 'a.zip', { visibility: 'all' }), 4220)
    dataOf(await platform.admin.put('/configs/groups/platform_storage', { max_file_size_mb: 1, user_quota_mb: 1 }))
    const user = await createUser(owner, 'acme', ['user_attachment:*'])
    const large = tusUpload(user, zip(1_048_577), { metadata: { filename: 'a.zip' }, retryDelays: [] })
    large.upload.start()
    await assert.rejects(large.attachment, /response code: 413/)
    const first = tusUpload(user, zip(700_000), { metadata: { filename: 'a.zip' } })
    first.upload.start()
    await first.attachment
    const second = tusUpload(user, zip(700_000), { metadata: { filename: 'a.zip' }, retryDelays: [] })
    second.upload.start()
    await assert.rejects(second.attachment, /response code: 429/)
  })
})
