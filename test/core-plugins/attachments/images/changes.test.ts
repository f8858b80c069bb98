// @both-back-ends
import assert from 'node:assert/strict'
import path from 'node:path'
import { KnownAttachments } from '../../../../core-plugins/attachments/access/known-attachments.ts'
import { derivedPrefix } from '../../../../core-plugins/attachments/images/derived-key.ts'
import { DerivedFiles } from '../../../../core-plugins/attachments/images/derived/derived-files.ts'
import { forgetLeft } from '../../../../core-plugins/attachments/images/forget-derived.ts'
import { Attachment, Blob } from '../../../../core-plugins/attachments/models.ts'
import { runningKernel } from '../../../support/auth.ts'
import { itOnRedis } from '../../../support/it-on-redis.ts'
import { picture } from '../../../support/pictures.ts'
import { platformToken } from '../../../support/plain-identity.ts'
import { filesBelow } from '../../../support/storage.ts'
import { until } from '../../../support/until.ts'
import { startImageWorld, tenantId, type ImageWorld } from './world.ts'

const query = '?w=30'
const idOf = (file: string): string => file.split('/')[4] ?? ''
const accessOf = (file: string): string => file.replace(/image$/, 'access')
const folderOf = (world: ImageWorld): string => path.join(world.host.dataDir, 'cache', 'img')
const dbOf = (world: ImageWorld) => runningKernel({ test: world.host }).database.knex

/** Deletes an attachment as those who administer the platform do. */
async function remove(world: ImageWorld, file: string): Promise<void> {
  const admin = world.host.api.as(platformToken('platform_attachment:*'))
  assert.equal((await admin.delete(`/admin/attachments/${idOf(file)}`)).status, 200)
}

/** Writes down what an upload would have: that the bytes of an attachment are there once, for it. */
async function own(world: ImageWorld, file: string): Promise<void> {
  const row = await Attachment.of(tenantId, dbOf(world)).findById(idOf(file))
  assert.ok(row)
  const { blobId: id, size, hash, driver, storageRef, ownerId } = row
  await Blob.of(tenantId, dbOf(world)).insert({
    id,
    size,
    hash,
    driver,
    storageRef,
    ownerId,
    state: 'ready',
    refcount: 1,
  })
}

describe('an image whose attachment changes', () => {
  let world: ImageWorld
  before(async () => {
    world = await startImageWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is not there any more with the answer to the deletion, however often it was asked for before', async () => {
    const file = await world.put(await picture(80, 60).jpeg().toBuffer())
    const before = await Promise.all([world.get(file + query), world.get(accessOf(file))])
    const tag = { 'if-none-match': String(before[0].headers['etag']) }
    for (let times = 0; times < 3; times++) assert.equal((await world.get(file + query, tag)).status, 304)
    await remove(world, file)
    const after = await Promise.all([world.get(file + query), world.get(file + query, tag), world.get(accessOf(file))])
    assert.deepEqual(
      [before.map(({ status }) => status), after.map(({ code }) => code)],
      [
        [200, 200],
        [4045, 4045, 4045],
      ],
    )
  })

  itOnRedis('is not there any more on other hosts, on whose disks nothing of it is left', async () => {
    await using one = await startImageWorld()
    await one.configure({ storage_config: { root: path.join(one.host.dataDir, 'shared') } }, 'platform_storage')
    const [file, other] = [
      await one.put(await picture(80, 60).jpeg().toBuffer()),
      await one.put(await picture(90, 60).jpeg().toBuffer()),
    ]
    await own(one, file)
    await using two = await startImageWorld(one.options)
    for (const world of [one, two]) {
      assert.equal((await world.get(file + query)).status, 200)
      assert.equal((await world.get(other + query)).status, 200)
    }
    await remove(one, file)
    await until(async () => (await two.get(file + query)).code === 4045)
    for (const world of [one, two]) await until(async () => (await filesBelow(folderOf(world))).length === 1)
    assert.equal((await two.get(other + query)).status, 200)
  })

  it('leaves nothing behind also where no word of its deletion came', async () => {
    const [file, other] = [
      await world.put(await picture(80, 60).jpeg().toBuffer()),
      await world.put(await picture(90, 60).jpeg().toBuffer()),
    ]
    await world.get(file + query)
    await world.get(other + query)
    await Attachment.of(tenantId, dbOf(world)).deleteById(idOf(file))
    const files = new DerivedFiles(folderOf(world))
    const before = (await filesBelow(folderOf(world))).length
    await forgetLeft(dbOf(world), { files, forget: (start) => files.forget(start) })
    const { hash } = (await Attachment.of(tenantId, dbOf(world)).findById(idOf(other))) ?? { hash: '' }
    const left = (await filesBelow(folderOf(world))).map((name) => path.basename(name).startsWith(derivedPrefix(hash)))
    assert.deepEqual([before >= 2, left], [true, [true]])
  })

  it('has a record that is not kept when it was forgotten while it was read', async () => {
    const file = await world.put(await picture(8, 6).jpeg().toBuffer())
    const db = dbOf(world)
    const known = new KnownAttachments(db)
    const reading = known.find(idOf(file))
    known.forget([idOf(file)])
    await Attachment.of(tenantId, db)
      .where({ id: idOf(file) })
      .patch({ visibility: 'private' })
    await reading
    assert.equal((await known.find(idOf(file)))?.visibility, 'private')
    await db.transaction(async (trx) => {
      await Attachment.of(tenantId, trx).deleteById(idOf(file))
      known.forgetAfter(trx, idOf(file))
    })
    assert.equal(await known.find(idOf(file)), undefined)
  })
})
