import { mkdir } from 'node:fs/promises'
import { request as nodeRequest, type ClientRequest } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { memoryOf } from '../support/processes.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { median } from './load.ts'
import { print } from './print.ts'
import { watchMemory } from './watch-memory.ts'

const megabyte = 1_048_576
const rounds = 2

/** A gigabyte in one form, beside node:http that hashes and writes it, in turns. */
export async function measureUpload(platform: BenchPlatform, dataDir: string, megabytes = 1024): Promise<void> {
  const limits = { max_file_size_mb: 2 * megabytes, user_quota_mb: 0 }
  await expect(200, platform.admin.put('/configs/groups/platform_storage', limits))
  const folder = path.join(dataDir, 'floor')
  await mkdir(folder, { recursive: true })
  const floor = await platform.serve('bare-upload.ts', { FOLDER: folder })
  // What the benches before left behind is no part of what an upload takes.
  await expect(200, platform.admin.post('/bench/collect'))
  const idle = memoryOf(platform.pid)
  const peak = watchMemory(platform.pid)
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    bare.push(await sendBare(floor, megabytes))
    ours.push(await sendForm(platform, megabytes))
  }
  print(`node:http hashes and writes ${megabytes} MB`, `${Math.round(median(bare))} MB/s`, 'the floor')
  print(`upload of ${megabytes} MB / node:http`, (median(ours) / median(bare)).toFixed(2), 'aim ≥ 0.7')
  print('memory above idle meanwhile', `${Math.round(peak() - idle)} MB`, 'aim ≤ 60 MB')
}

function sendBare(url: string, megabytes: number): Promise<number> {
  return send(nodeRequest(url, { method: 'POST' }), megabytes, '', '')
}

async function sendForm({ admin }: BenchPlatform, megabytes: number): Promise<number> {
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=b' }
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  const request = nodeRequest(`${admin.url}/attachments/upload`, { method: 'POST', headers })
  return send(request, megabytes, head, '\r\n--b--\r\n')
}

/** Megabytes a second, from the first byte to the answer. */
async function send(request: ClientRequest, megabytes: number, head: string, tail: string): Promise<number> {
  const started = performance.now()
  const answered = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
    request.on('error', reject)
  })
  await pipeline(Readable.from(content(megabytes, head, tail), { objectMode: false }), request)
  const status = await answered
  if (status !== 201) throw new Error(`an upload was answered ${status}`)
  return megabytes / ((performance.now() - started) / 1000)
}

function* content(megabytes: number, head: string, tail: string): Generator<Buffer> {
  const block = Buffer.alloc(megabyte, 'a block of a file that is sent many times over ')
  // No two are the same bytes, or they would be kept once.
  block.write(`PK\u0003\u0004${performance.now()}`, 'latin1')
  yield Buffer.from(head)
  for (let sent = 0; sent < megabytes; sent++) yield block
  yield Buffer.from(tail)
}
