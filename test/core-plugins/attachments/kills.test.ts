// @any-back-end
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'mocha'
import { Api } from '../../support/api.ts'
import { bytesAt, preflight, textOf, upload } from '../../support/attachments.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { setUp } from '../../support/first-run.ts'
import { freePort } from '../../support/free-port.ts'
import { startHostProcess } from '../../support/host-process.ts'
import { dataOf } from '../../support/platform.ts'
import { filesBelow } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

const megabyte = 1_048_576

describe('an upload whose client or host dies', () => {
  let dataDir: string
  let backEnd: BackEnd
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-upload-'))
    backEnd = await startBackEnd()
  })
  afterEach(async () => {
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Sends the beginning of a form, and waits until some of it lies on the disk. */
  async function sendHalf(by: Api, fields: Readonly<Record<string, string>>, half: Buffer): Promise<ClientRequest> {
    const sent = request(`${by.url}/attachments/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${textOf(by.token)}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    sent.on('error', () => undefined)
    for (const [name, value] of Object.entries(fields)) {
      sent.write(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    }
    sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n')
    sent.write(half)
    await until(async () => (await incoming()).length > 0, 60_000)
    return sent
  }
  const incoming = (): Promise<readonly string[]> => filesBelow(path.join(dataDir, 'storage', 'incoming'))

  it('goes on with the chunks that had come, and no half of a file is one', async () => {
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: backEnd.env, port })
    const first = await start()
    const { admin } = await setUp(first, dataDir)
    dataOf(await admin.put('/configs/groups/platform_storage', { chunk_size_mb: 1 }))
    const content = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(2 * megabyte)])
    const part = (index: number): Buffer => content.subarray(index * megabyte, (index + 1) * megabyte)
    const chunk = (by: Api, index: number) =>
      upload(by, { fields: { upload_id: id, chunk_index: String(index) }, content: part(index) })
    const announce = async (by: Api) => dataOf(await preflight(by, 'a.zip', content))
    const id = textOf((await announce(admin))['upload_id'])
    dataOf(await chunk(admin, 0))

    const cut = await sendHalf(admin, { upload_id: id, chunk_index: '1' }, part(1).subarray(0, megabyte / 2))
    cut.destroy()
    await until(async () => (await incoming()).length === 0, 60_000)
    assert.deepEqual((await announce(admin))['uploaded_chunks'], [0])

    await sendHalf(admin, { upload_id: id, chunk_index: '1' }, part(1).subarray(0, megabyte / 2))
    await first.kill()
    await using second = await start()
    const again = new Api(second.url, admin.token)
    const { upload_id, uploaded_chunks } = await announce(again)
    assert.deepEqual([upload_id, uploaded_chunks], [id, [0]])
    dataOf(await chunk(again, 1))
    const record = dataOf(await chunk(again, 2), 201)
    assert.deepEqual(await bytesAt(again, `/attachments/${textOf(record['id'])}/download`), content)
  })

  it('in one form leaves no record, and the room is kept until the sweep knows that nobody comes', async () => {
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: backEnd.env, port })
    const first = await start()
    const { admin } = await setUp(first, dataDir)
    await sendHalf(admin, {}, Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(megabyte)]))
    await first.kill()
    await using second = await start()
    const again = new Api(second.url, admin.token)
    assert.equal(dataOf(await again.get('/attachments'))['total'], 0)
    const { used } = dataOf(await again.get('/attachments/upload-rules'))['quota'] as unknown as { used: number }
    assert.ok(used >= megabyte)
  })
})
