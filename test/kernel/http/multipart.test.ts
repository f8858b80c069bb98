import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { defineRoute } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeRoutes } from '../../support/probe.ts'

const limits = { maxFileBytes: 1_000_000, maxFiles: 2 }
let failure: Promise<unknown> | undefined

const routes = [
  defineRoute({
    method: 'post',
    path: '/files',
    summary: 'Reads every file',
    auth: 'none',
    accepts: ['multipart'],
    async handler(ctx) {
      const files = ctx.files(limits)
      const read: unknown[] = []
      const work = (async () => {
        for await (const { field, filename, mimeType, content } of files) {
          read.push({ field, filename, mimeType, bytes: (await buffer(content)).length })
        }
      })()
      failure = work.catch((error: unknown) => error)
      await work
      return { read, fields: { ...files.fields } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/first',
    summary: 'Looks at the first file only',
    auth: 'none',
    accepts: ['multipart'],
    async handler(ctx) {
      for await (const { filename } of ctx.files(limits)) return { filename }
      return undefined
    },
  }),
  defineRoute({
    method: 'post',
    path: '/names',
    summary: 'Reads no file at all',
    auth: 'none',
    accepts: ['multipart'],
    async handler(ctx) {
      const names: string[] = []
      for await (const { filename } of ctx.files(limits)) names.push(filename)
      return names
    },
  }),
]

function form(...parts: readonly (readonly [name: string, value: string | Blob, filename?: string])[]): FormData {
  const data = new FormData()
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, filename)
  }
  return data
}
const file = (bytes: number) => new Blob([Buffer.alloc(bytes, 1)], { type: 'application/zip' })

describe('multipart bodies', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes)] })
  })
  after(() => host[Symbol.asyncDispose]())

  async function post(path: string, body: FormData | string, type?: string): Promise<unknown> {
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await fetch(host.url + path, { method: 'POST', body, headers })
    const { code, data } = (await answer.json()) as { code: number; data: unknown }
    return answer.status === 200 ? data : `${answer.status}/${code}`
  }

  it('come file by file, the texts beside them', async () => {
    const body = form(['title', 'Notes'], ['a', file(500_000), 'a.zip'], ['b', file(3), '../b.zip'], ['last', '中'])
    assert.deepEqual(await post('/files', body), {
      read: [
        { field: 'a', filename: 'a.zip', mimeType: 'application/zip', bytes: 500_000 },
        { field: 'b', filename: 'b.zip', mimeType: 'application/zip', bytes: 3 },
      ],
      fields: { title: 'Notes', last: '中' },
    })
  })

  it('may be left unread, in part or whole', async () => {
    const body = () => form(['a', file(900_000), 'a.zip'], ['b', file(900_000), 'b.zip'])
    assert.deepEqual(
      [await post('/first', body()), await post('/names', body())],
      [{ filename: 'a.zip' }, ['a.zip', 'b.zip']],
    )
  })

  it('are refused with a file too large, a file too many, or a text too long', async () => {
    const bodies = [
      form(['a', file(1_000_001), 'a.zip']),
      form(['a', file(1), 'a'], ['b', file(1), 'b'], ['c', file(1), 'c']),
      form(['text', 'x'.repeat(70_000)]),
      form(...Array.from({ length: 101 }, (_, at) => [`f${at}`, 'x'] as const)),
    ]
    for (const body of bodies) assert.equal(await post('/files', body), '413/4130')
  })

  it('are refused where they are broken', async () => {
    const head = 'Content-Disposition: form-data; name="a"; filename="a"\r\n\r\n'
    const type = 'multipart/form-data; boundary=x'
    assert.deepEqual(
      [
        await post('/files', `--x\r\n${head}cut`, type),
        await post('/files', 'nonsense', type),
        await post('/files', '--x--', 'multipart/form-data'),
        await post('/files', '{}', 'application/json'),
      ],
      ['400/4001', '400/4001', '400/4001', '415/4150'],
    )
  })

  it('end in an error for the handler when the caller goes away halfway', async () => {
    failure = undefined
    const { port } = new URL(host.url)
    const socket = connect(Number(port), '127.0.0.1')
    const head = 'Content-Disposition: form-data; name="a"; filename="a"\r\n\r\n'
    socket.write(
      `POST /files HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n${head}half`,
    )
    await once(socket, 'connect')
    while (failure === undefined) await wait(5)
    socket.destroy()
    assert.equal((await (failure as Promise<{ code: number }>)).code, 4001)
  })
})
