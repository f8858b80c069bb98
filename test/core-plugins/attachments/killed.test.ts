// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, it } from 'mocha'
import sharp from 'sharp'
import { Api } from '../../support/api.ts'
import { attachmentFaults } from '../../support/attachment-faults.ts'
import { bytesAt, preflight, sha256, textOf, upload, uploaded } from '../../support/attachments.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { setUp } from '../../support/first-run.ts'
import { freePort } from '../../support/free-port.ts'
import { startHostProcess, type HostProcess } from '../../support/host-process.ts'
import { picture } from '../../support/pictures.ts'
import { dataOf } from '../../support/platform.ts'
import { filesBelow } from '../../support/storage.ts'

const megabyte = 1_048_576
const zip = (bytes: number): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(bytes)])

describe('attachments of a host that is killed', () => {
  let dataDir: string
  let backEnd: BackEnd
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-killed-'))
    backEnd = await startBackEnd()
  })
  after(async () => {
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Every record that there is gives the bytes that it names. */
  async function assertWhole(by: Api): Promise<void> {
    const { items } = dataOf(await by.get('/attachments?page_size=100')) as unknown as {
      items: readonly { id: string; hash: string }[]
    }
    for (const { id, hash } of items) {
      assert.equal(sha256(await bytesAt(by, `/attachments/${id}/download`)), hash)
    }
  }

  it('have their bytes, and no bytes are left that no sweep finds, whenever that was', async () => {
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: backEnd.env, port })
    let host: HostProcess = await start()
    const { admin } = await setUp(host, dataDir)
    const by = new Api(host.url, admin.token)
    dataOf(await by.put('/configs/groups/platform_storage', { chunk_size_mb: 1 }))
    dataOf(await by.put('/configs/groups/platform_image', { image_rate_limit: 6000 }))
    const photo = await sharp(await picture(400, 300).png().toBuffer())
      .resize(2000, 1500)
      .jpeg()
      .toBuffer()
    const image = textOf((await uploaded(by, 'a.jpg', photo, { visibility: 'public' }))['id'])
    const content = zip(3 * megabyte)

    /** What is going on when the host is killed; each is begun anew where it had not ended. */
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      'single upload': () => upload(by, { name: 'a.zip', content: zip(2 * megabyte) }),
      finish: async () => {
        const { upload_id, uploaded_chunks = [], exists } = dataOf(await preflight(by, 'b.zip', content))
        if (exists as unknown as boolean) return
        for (let index = 0; index < 4; index++) {
          if ((uploaded_chunks as unknown as number[]).includes(index)) continue
          const part = content.subarray(index * megabyte, (index + 1) * megabyte)
          await upload(by, { fields: { upload_id: textOf(upload_id), chunk_index: String(index) }, content: part })
        }
      },
      delete: async () => {
        const { id } = await uploaded(by, 'c.zip', zip(megabyte))
        await by.delete(`/attachments/${textOf(id)}`)
      },
      transform: () =>
        bytesAt(by, `/api/public/attachments/${image}/image?w=${100 + Math.floor(Math.random() * 900)}&f=webp`),
    }
    for (const milliseconds of [60, 250]) {
      const going = Promise.allSettled(Object.values(works).map((work) => work()))
      await wait(milliseconds)
      await host.kill()
      await going
      assert.deepEqual(
        await attachmentFaults(textOf(backEnd.env['DATABASE_URL'])),
        [],
        `killed after ${milliseconds} ms`,
      )
      host = await start()
      await assertWhole(by)
    }
    await Promise.all(Object.values(works).map((work) => work()))
    await assertWhole(by)
    // What the image library was about is whole or not there: none of it is half an image.
    for (const file of await filesBelow(path.join(dataDir, 'cache', 'img'))) {
      if (!file.endsWith('.part')) assert.equal((await sharp(file).metadata()).format, 'webp')
    }
    await host.stop()
  })
})
