// 2 GB in one form, in chunks, and by tus: RSS of the host's processes meanwhile
import { request } from 'node:http'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Upload } from 'tus-js-client'
const [base, token, pidText, modes = 'single,chunk,tus', mb = '2048'] = process.argv.slice(2) as string[]
const pid = Number(pidText),
  megabytes = Number(mb),
  MB = 1048576
const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
const auth = { authorization: `Bearer ${token}` }
function* content(tag: string, from = 0, to = megabytes) {
  for (let i = from; i < to; i++) {
    const b = Buffer.alloc(MB, `${tag} ${i} `)
    if (i === 0) b.write('PK\x03\x04', 'latin1')
    yield b
  }
}
function call(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Iterable<Buffer>,
): Promise<{ status: number; text: string }> {
  const r = request(base + path, { method, headers: { ...auth, ...headers } })
  const done = new Promise<{ status: number; text: string }>((resolve, reject) => {
    r.on('error', reject)
    r.on('response', (a) => {
      let t = ''
      a.on('data', (d) => (t += d))
      a.on('end', () => resolve({ status: a.statusCode!, text: t }))
    })
  })
  return pipeline(Readable.from(body, { objectMode: false }), r).then(() => done)
}
function* form(fields: Record<string, string>, name: string, body: Iterable<Buffer>) {
  for (const [k, v] of Object.entries(fields))
    yield Buffer.from(`--b\r\nContent-Disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`)
  yield Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`)
  yield* body
  yield Buffer.from('\r\n--b--\r\n')
}
const ftype = { 'content-type': 'multipart/form-data; boundary=b' }
async function measured(name: string, work: () => Promise<unknown>) {
  await new Promise((r) => setTimeout(r, 1500))
  const idle = rss()
  let peak = idle,
    sum = 0,
    n = 0
  const t = setInterval(() => {
    const v = rss()
    peak = Math.max(peak, v)
    sum += v
    n++
  }, 50)
  const s = performance.now()
  const out = await work()
  clearInterval(t)
  console.log(
    `${name}: idle ${idle.toFixed(0)} MB, mean ${(sum / n).toFixed(0)}, peak ${peak.toFixed(0)} (+${(peak - idle).toFixed(0)}), ${(megabytes / ((performance.now() - s) / 1000)).toFixed(0)} MB/s`,
    out,
  )
}
const json = async (r: Promise<{ status: number; text: string }>) => {
  const { status, text } = await r
  if (status >= 400) throw new Error(text)
  return JSON.parse(text).data
}
const del = (id: string) => json(call('DELETE', `/attachments/${id}`, {}, []))
if (modes.includes('single'))
  await measured('single', async () => {
    const d = await json(call('POST', '/attachments/upload', ftype, form({}, 'a.zip', content(`s${Date.now()}`))))
    await del(d.id)
    return d.size
  })
if (modes.includes('chunk')) {
  const tag = `c${Date.now()}`
  const h = createHash('sha256')
  for (const b of content(tag)) h.update(b)
  const hash = h.digest('hex')
  await measured('chunk', async () => {
    const p = await json(
      call('POST', '/attachments/preflight', { 'content-type': 'application/json' }, [
        Buffer.from(JSON.stringify({ filename: 'b.zip', size: megabytes * MB, hash })),
      ]),
    )
    const per = p.chunk_size / MB
    const queue = Array.from({ length: p.chunk_count }, (_, i) => i).values()
    let last: any
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (const i of queue) {
          const d = await json(
            call(
              'POST',
              '/attachments/upload',
              ftype,
              form(
                { upload_id: p.upload_id, chunk_index: String(i) },
                'b',
                content(tag, i * per, Math.min(megabytes, (i + 1) * per)),
              ),
            ),
          )
          if (d.id) last = d
        }
      }),
    )
    await del(last.id)
    return [p.mode, p.chunk_count, last.size]
  })
}
if (modes.includes('tus'))
  await measured(
    'tus',
    () =>
      new Promise((resolve, reject) => {
        const u = new Upload(Readable.from(content(`t${Date.now()}`), { objectMode: false }) as never, {
          endpoint: `${base}/attachments/tus`,
          headers: auth,
          chunkSize: 64 * MB,
          uploadSize: megabytes * MB,
          metadata: { filename: 'c.zip' },
          onError: reject,
          onSuccess: ({ lastResponse }) => {
            const id = lastResponse.getHeader('Attachment-Id')!
            del(id).then(() => resolve(id), reject)
          },
        })
        u.start()
      }),
  )
