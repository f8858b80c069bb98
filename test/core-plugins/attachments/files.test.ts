import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'mocha'
import { attachmentFiles, type AttachmentFiles } from '../../../core-plugins/attachments/contract.ts'
import { KnownAttachments } from '../../../core-plugins/attachments/access/known-attachments.ts'
import { sweepExpired } from '../../../core-plugins/attachments/files/sweep.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { createTenant, startPlatform, type Platform } from '../../support/platform.ts'

const everybody = { tenant: 'all' } as const
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code,
  )

describe('files of other core plugins', () => {
  let platform: Platform
  let files: AttachmentFiles
  let tenantId: number
  let other: number
  before(async () => {
    platform = await startPlatform()
    files = platform.host.kernel.services.get(attachmentFiles)
    tenantId = (await createTenant(platform.admin, 'acme')).id
    other = (await createTenant(platform.admin, 'other')).id
  })
  after(() => platform[Symbol.asyncDispose]())

  const create = (text: string, more: object = {}) =>
    files.create({
      ...{ tenantId, ownerId: 0, filename: 'report.xyz', usage: 'general', from: 'platform' },
      content: Readable.from([Buffer.from(text)]),
      ...more,
    })
  const refer = (holder: string, ids: readonly string[], of = tenantId): Promise<void> =>
    platform.host.kernel.database.knex.transaction((trx) => files.reference(of, holder, ids, trx))

  it('are stored from a stream and read in parts, and other tenants have none of them', async () => {
    const { id, size, ownerId, usage } = await create('a report')
    assert.deepEqual([size, ownerId, usage], [8, 0, 'general'])
    const part = await files.open({ tenantId, id }, { start: 2, end: 4 })
    assert.equal(String(Buffer.concat(await part.toArray())), 'rep')
    assert.equal(await files.find({ tenantId: other, id }), undefined)
    assert.deepEqual(
      [
        await codeOf(files.open({ tenantId: other, id })),
        await codeOf(files.delete({ tenantId: other, id })),
        await codeOf(refer('test:1', [id], other)),
        await codeOf(
          files.create({
            ...{ tenantId, ownerId: 0, filename: 'a.exe', usage: 'general', from: 'user' },
            content: Readable.from([]),
          }),
        ),
        await codeOf(create('too much', { mostBytes: 3 })),
      ],
      [4045, 4045, 4045, 4008, 4130],
    )
  })

  it('are kept while somebody needs them, beyond their time too', async () => {
    const [kept, gone] = [await create('kept', { ttlSeconds: 60 }), await create('gone', { ttlSeconds: 60 })]
    await refer('test:1', [kept.id])
    await refer('test:2', [kept.id])
    const { knex: db } = platform.host.kernel.database
    await db('attachments')
      .queryContext(everybody)
      .whereNotNull('expires_at')
      .update({ expires_at: new Date(0) })
    await sweepExpired({ db, jobs: platform.host.kernel.services.get(jobs), known: new KnownAttachments(db) })
    assert.deepEqual(
      [await files.find({ tenantId, id: gone.id }), (await files.find({ tenantId, id: kept.id }))?.id],
      [undefined, kept.id],
    )
    const key = { tenantId, id: kept.id }
    assert.equal(await codeOf(files.delete(key)), 4095)
    await refer('test:1', [])
    assert.equal(await codeOf(files.delete(key)), 4095)
    await refer('test:2', [])
    assert.equal(await codeOf(files.delete(key)), 'done')
    assert.equal(await codeOf(refer('test:1', [kept.id])), 4045)
  })

  it('are either needed or deleted where both are wanted at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create(`round ${round}`)
      const [referred, deleted] = await Promise.all([
        codeOf(refer(`race:${round}`, [id])),
        codeOf(files.delete({ tenantId, id })),
      ])
      const isThere = (await files.find({ tenantId, id })) !== undefined
      assert.deepEqual([referred, deleted], isThere ? ['done', 4095] : [4045, 'done'])
    }
  })
})
