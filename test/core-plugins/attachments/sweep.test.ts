// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { describe, it } from 'mocha'
import { namespace } from '../../../core-plugins/attachments/access/open-content.ts'
import { discardBlob } from '../../../core-plugins/attachments/blobs/blob-store.ts'
import { sweepBlobs } from '../../../core-plugins/attachments/blobs/sweep.ts'
import { sweepUploads } from '../../../core-plugins/attachments/uploads/sweep.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { storageVolumes } from '../../../core-plugins/storage/contract.ts'
import { preflight, textOf, upload, uploaded } from '../../support/attachments.ts'
import { silentLog } from '../../support/kernel.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { filesBelow, storageOf } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

const everybody = { tenant: 'all' } as const
const dayAgo = (): Date => new Date(Date.now() - 25 * 3_600_000)

describe('what uploads leave behind', () => {
  let platform: Platform
  before(async () => void (platform = await startPlatform()))
  after(() => platform[Symbol.asyncDispose]())

  it('is deleted a day later where a crash came between bytes and record, and nothing else is', async () => {
    const { knex: db } = platform.host.kernel.database
    const root = path.join(platform.host.dataDir, 'storage')
    const { created_at } = await uploaded(platform.admin, 'stays.TXT', Buffer.from('stays'))
    const files = await filesBelow(root)
    const month = textOf(created_at).slice(0, 7).replace('-', '/')
    assert.match(files.join(), new RegExp(`/storage/t0/${month}/[0-9a-f-]{36}\\.txt$`))
    const before = files.length
    const store = storageOf(platform.host).open(namespace, 0)
    const [young, old] = [randomUUID(), randomUUID()]
    for (const id of [young, old]) {
      const blob = { id, tenant_id: 0, owner_id: 1, size: 4, state: 'uploading' }
      await db('attachment_blobs')
        .insert({ ...blob, ...(id === old && { created_at: dayAgo() }) })
        .queryContext(everybody)
      await store.put(id, Buffer.from('half'))
    }
    await sweepBlobs({ db, jobs: platform.host.kernel.services.get(jobs) })
    await until(async () => (await filesBelow(root)).length === before + 1)
    assert.deepEqual([await store.stat(old), (await store.stat(young))?.size], [undefined, 4])
  })

  it('is not what has become an attachment since it was taken for left over', async () => {
    const { knex: db } = platform.host.kernel.database
    const id = textOf((await uploaded(platform.admin, 'slow.txt', Buffer.from('slow')))['id'])
    const rows = () => db<{ id: string; state: string }>('attachment_blobs').queryContext(everybody)
    const blobs = db('attachments').queryContext(everybody).where({ id }).select('blob_id')
    const blob = (await rows().where('id', 'in', blobs).first()) ?? assert.fail('it has no bytes')
    const jobsOfAll = platform.host.kernel.services.get(jobs)
    await db.transaction((trx) => discardBlob(jobsOfAll, trx, { id: blob.id, tenantId: 0 }))
    assert.equal((await rows().where({ id: blob.id }).first())?.state, 'ready')
  })

  it('of announced uploads goes when their time is over', async () => {
    const { knex: db, kernel } = { ...platform.host, knex: platform.host.kernel.database.knex }
    const announced = dataOf(await preflight(platform.admin, 'a.txt', Buffer.from('never sent')))
    const id = textOf(announced['upload_id'])
    await db('attachment_uploads').where({ id }).update({ expires_at: dayAgo() }).queryContext(everybody)
    const { body } = await upload(platform.admin, { fields: { upload_id: id }, content: Buffer.from('never sent') })
    assert.equal(body['code'], 4098)
    await sweepUploads({ db, log: silentLog, volumes: kernel.services.get(storageVolumes) })
    const left: unknown = await db('attachment_uploads').where({ id }).queryContext(everybody)
    assert.deepEqual(left, [])
    assert.notEqual(dataOf(await preflight(platform.admin, 'a.txt', Buffer.from('never sent')))['upload_id'], id)
  })
})
