// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, it } from 'mocha'
import type { Principal } from '#kernel'
import { Attachment, Upload } from '../../../core-plugins/attachments/models.ts'
import type { AttachmentParts } from '../../../core-plugins/attachments/parts.ts'
import { ChunkStore } from '../../../core-plugins/attachments/uploads/chunk-store.ts'
import { UploadService } from '../../../core-plugins/attachments/uploads/upload-service.ts'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import type { Answer, Api } from '../../support/api.ts'
import { bytesAt, preflight, sha256, textOf, upload } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

const megabyte = 1_048_576

describe('an upload in chunks', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    dataOf(await platform.admin.put('/configs/groups/platform_storage', { chunk_size_mb: 1 }))
  })
  after(() => platform[Symbol.asyncDispose]())

  const zip = (size: number): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(size - 4)])
  const part = (content: Buffer, index: number): Buffer => content.subarray(index * megabyte, (index + 1) * megabyte)
  const codeOf = ({ status, body }: Answer): unknown => (status < 400 ? status : body['code'])
  const send = (by: Api, id: unknown, index: number, content: Buffer, more = {}): Promise<Answer> =>
    upload(by, { fields: { upload_id: textOf(id), chunk_index: textOf(index), ...more }, content })

  it('goes on where it stopped, takes a chunk twice, and is whole with the last', async () => {
    const content = zip(2.5 * megabyte)
    const begun = dataOf(await preflight(owner, 'big.zip', content))
    const { upload_id: id, mode, chunk_count, chunk_size, uploaded_chunks } = begun
    assert.deepEqual([mode, chunk_count, chunk_size, uploaded_chunks], ['chunk', 3, megabyte, []])
    const first = dataOf(await send(owner, id, 2, part(content, 2), { chunk_hash: sha256(part(content, 2)) }))
    assert.deepEqual(first, { upload_id: id, chunk_index: 2, uploaded_chunks: [2], completed: false })
    await send(owner, id, 0, part(content, 0))
    const again = await send(owner, id, 0, part(content, 0), { chunk_hash: sha256(part(content, 0)) })
    assert.deepEqual([again.status, dataOf(again)['uploaded_chunks']], [200, [0, 2]])
    const resumed = dataOf(await preflight(owner, 'renamed.zip', content))
    assert.deepEqual([resumed['upload_id'], resumed['uploaded_chunks']], [id, [0, 2]])
    const early = await upload(owner, { fields: { upload_id: textOf(id), complete: 'true' } })
    assert.deepEqual([codeOf(early), early.body['details']?.['cause']], [4098, 'incomplete'])
    const record = dataOf(await send(owner, id, 1, part(content, 1)), 201)
    assert.deepEqual([record['filename'], record['hash']], ['renamed.zip', sha256(content)])
    assert.deepEqual(await bytesAt(owner, `/attachments/${textOf(record['id'])}/download`), content)
    // Whoever did not get the answer asks again.
    assert.equal(dataOf(await send(owner, id, 1, part(content, 1)), 201)['id'], record['id'])
  })

  it('is given up: its room is free, what came of it is gone, and it takes nothing more', async () => {
    const content = zip(2 * megabyte)
    const used = async () =>
      (dataOf(await owner.get('/attachments/upload-rules'))['quota'] as unknown as { used: number }).used
    const before = await used()
    const { upload_id: id } = dataOf(await preflight(owner, 'big.zip', content))
    await send(owner, id, 0, part(content, 0))
    assert.equal(await used(), before + content.length)
    const path = `/attachments/uploads/${textOf(id)}`
    const other = await createUser(owner, 'acme', ['user_attachment:*'])
    assert.equal(codeOf(await other.delete(path)), 4040)
    dataOf(await owner.delete(path))
    assert.deepEqual(
      [await used(), codeOf(await owner.delete(path)), codeOf(await send(owner, id, 1, part(content, 1)))],
      [before, 4040, 4098],
    )
    const anew = dataOf(await preflight(owner, 'big.zip', content))
    assert.deepEqual([anew['upload_id'] === id, anew['uploaded_chunks']], [false, []])
    await send(owner, anew['upload_id'], 0, part(content, 0))
    dataOf(await send(owner, anew['upload_id'], 1, part(content, 1)), 201)
    assert.equal(codeOf(await owner.delete(`/attachments/uploads/${textOf(anew['upload_id'])}`)), 4098)
  })

  for (const [what, size] of [
    ['its only chunk', 0.5],
    ['one of its chunks', 1.5],
  ] as const)
    it(`is given up while ${what} is on its way: it becomes nothing, and nothing is left of it`, async () => {
      const content = zip(size * megabyte)
      const { upload_id } = dataOf(await preflight(owner, 'big.zip', content))
      const id = textOf(upload_id)
      const { kernel } = platform.host
      const [row] = await Upload.acrossTenants(kernel.database.knex).where({ id })
      const objects = kernel.services.get(objectStorage)
      const parts = { db: kernel.database.knex, objects } as AttachmentParts
      const uploads = new UploadService(
        parts,
        (_name, work) => work(),
        () => Promise.resolve(),
      )
      async function* slowly() {
        yield part(content, 0).subarray(0, 100)
        dataOf(await owner.delete(`/attachments/uploads/${id}`))
        yield part(content, 0).subarray(100)
      }
      const chunk = { index: 0, count: undefined, hash: undefined, content: slowly() }
      await assert.rejects(uploads.takeChunk({ tenantId: row!.tenantId } as Principal, row!, chunk), { code: 4098 })
      assert.deepEqual(await new ChunkStore(objects, row!).list(), [])
      const found = await Attachment.acrossTenants(kernel.database.knex).where({ hash: sha256(content) })
      assert.deepEqual(found, [])
    })

  it('makes one attachment of chunks that come at once', async () => {
    const content = zip(3 * megabyte)
    const { upload_id: id } = dataOf(await preflight(owner, 'big.zip', content))
    const answers = await Promise.all([0, 1, 2].map((index) => send(owner, id, index, part(content, index))))
    const made = answers.filter(({ status }) => status === 201).map((answer) => dataOf(answer, 201)['id'])
    assert.deepEqual([made.length > 0, new Set(made).size], [true, 1])
  })

  it('answers with the attachment where another chunk was the last meanwhile', async () => {
    const content = zip(1.5 * megabyte)
    const { upload_id } = dataOf(await preflight(owner, 'big.zip', content))
    const { kernel } = platform.host
    const db = kernel.database.knex
    const [before] = await Upload.acrossTenants(db).where({ id: textOf(upload_id) })
    await send(owner, upload_id, 0, part(content, 0))
    const { id } = dataOf(await send(owner, upload_id, 1, part(content, 1)), 201)
    const parts = { db, objects: kernel.services.get(objectStorage) } as AttachmentParts
    const uploads = new UploadService(
      parts,
      (_name, work) => work(),
      () => Promise.resolve(),
    )
    const chunk = { index: 0, count: 2, hash: undefined, content: Readable.from([part(content, 0)]) }
    const answer = await uploads.takeChunk({} as Principal, before!, chunk)
    assert.deepEqual([answer instanceof Attachment, 'id' in answer && answer.id], [true, id])
  })

  it('refuses what does not fit', async () => {
    const content = zip(1.5 * megabyte)
    const { upload_id: id } = dataOf(await preflight(owner, 'big.zip', content))
    const other = await createUser(owner, 'acme', ['user_attachment:*'])
    const unknown = '019ac000-0000-7000-8000-000000000001'
    const outcomes = [
      await send(owner, id, 2, part(content, 0)),
      await send(owner, id, 1, part(content, 0)),
      await send(owner, id, 0, part(content, 1)),
      await send(owner, id, 0, part(content, 0), { chunk_count: '3' }),
      await send(owner, id, 0, part(content, 0), { chunk_hash: sha256(content) }),
      await send(owner, unknown, 0, part(content, 0)),
      await send(other, id, 0, part(content, 0)),
      await upload(owner, { fields: { upload_id: textOf(id) }, content: part(content, 0) }),
      await send(owner, '../x', 0, part(content, 0)),
    ]
    assert.deepEqual(outcomes.map(codeOf), [4098, 4098, 4098, 4098, 4008, 4098, 4098, 4220, 4220])
    assert.deepEqual(dataOf(await preflight(owner, 'big.zip', content))['uploaded_chunks'], [])
  })

  it('begins anew when the whole is not what was announced', async () => {
    const content = zip(1.5 * megabyte)
    const { upload_id: id } = dataOf(await preflight(owner, 'big.zip', content))
    await send(owner, id, 1, part(content, 1))
    const wrong = await send(owner, id, 0, zip(megabyte))
    assert.deepEqual([codeOf(wrong), wrong.body['details']?.['cause']], [4008, 'checksum'])
    assert.deepEqual(dataOf(await preflight(owner, 'big.zip', content))['uploaded_chunks'], [])
    for (const index of [0, 1]) await send(owner, id, index, part(content, index))
    assert.equal(dataOf(await preflight(owner, 'big.zip', content))['exists'], true)
  })
})
