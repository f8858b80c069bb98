// @any-back-end
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'mocha'
import { Api } from '../../support/api.ts'
import { bytesAt } from '../../support/attachments.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { setUp } from '../../support/first-run.ts'
import { freePort } from '../../support/free-port.ts'
import { startHostProcess } from '../../support/host-process.ts'
import { dataOf } from '../../support/platform.ts'
import { filesBelow } from '../../support/storage.ts'
import { tusUpload } from '../../support/tus.ts'
import { until } from '../../support/until.ts'

const megabyte = 1_048_576

describe('an upload by tus-js-client whose host is killed', () => {
  let dataDir: string
  let backEnd: BackEnd
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-tus-'))
    backEnd = await startBackEnd()
  })
  after(async () => {
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('goes on by itself with what had come, and so does another client that knows its address', async () => {
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: backEnd.env, port })
    const first = await start()
    const { admin } = await setUp(first, dataDir)
    dataOf(await admin.put('/configs/groups/platform_storage', { chunk_size_mb: 1 }))
    const content = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(4 * megabyte)])
    const killed = Promise.withResolvers<void>()
    const sent: number[] = []
    const { upload, attachment } = tusUpload(admin, content, {
      metadata: { filename: 'a.zip' },
      chunkSize: megabyte,
      retryDelays: Array.from({ length: 240 }, () => 500),
      onChunkComplete: (bytes, accepted) => {
        sent.push(bytes)
        if (accepted === 2 * megabyte) void first.kill().then(killed.resolve, killed.reject)
      },
    })
    upload.start()
    await killed.promise
    await using second = await start()
    const again = new Api(second.url, admin.token)
    const id = await attachment
    assert.deepEqual(await bytesAt(again, `/attachments/${id}/download`), content)
    // At most the one that was on its way is sent again.
    const all = sent.reduce((sum, bytes) => sum + bytes, 0)
    assert.ok(all <= content.length + megabyte, `${all} bytes were sent`)

    const paused = Promise.withResolvers<void>()
    const dying = tusUpload(again, content, {
      metadata: { filename: 'b.zip' },
      chunkSize: megabyte,
      onChunkComplete: (_bytes, accepted) => {
        if (accepted === 3 * megabyte) void dying.upload.abort().then(paused.resolve, paused.reject)
      },
    })
    dying.upload.start()
    await paused.promise
    const offsets: number[] = []
    const heir = tusUpload(again, content, {
      uploadUrl: dying.upload.url,
      onProgress: (bytes) => void offsets.push(bytes),
    })
    heir.upload.start()
    assert.deepEqual(await bytesAt(again, `/attachments/${await heir.attachment}/download`), content)
    assert.ok((offsets[0] ?? 0) >= 3 * megabyte, `it began at ${offsets[0]}`)
    // Two attachments stand on one file, and no pieces are left.
    await until(async () => (await filesBelow(path.join(dataDir, 'storage'))).length === 1, 60_000)
  })
})
