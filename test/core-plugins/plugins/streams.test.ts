import assert from 'node:assert/strict'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import type { Api } from '../../support/api.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const definition = `{ handlers: {
  async count({ query }, ctx) {
    if (query.fail === 'before') throw Object.assign(new Error('No'), { name: 'PluginError', code: 'not_found' })
    if (query.none) return { plain: true }
    for (let index = 1; index <= 3; index++) await ctx.stream.send({ index }, { event: 'count', id: String(index) })
    if (query.fail) throw new Error('a secret of ours')
    return { counted: 3 }
  },
  async large(_, ctx) { await ctx.stream.send('x'.repeat(70_000)) },
  async long(_, ctx) { for (;;) await ctx.stream.send('x'.repeat(60_000)) },
  async slow(_, ctx) { await ctx.stream.send(1); await new Promise((resolve) => setTimeout(resolve, 100_000)) },
  async plain(_, ctx) { await ctx.stream.send(1) },
  async keep({ body }, ctx) {
    const [{ id, filename, mimeType, size }] = body.files
    await ctx.attachments.keep(id)
    const { base64 } = await ctx.attachments.read(id)
    return { filename, mimeType, size, text: atob(base64).slice(0, 20) }
  },
} }`

function pack(): Promise<Buffer> {
  const streams = ['count', 'large', 'long'].map((name) => ({
    method: 'GET',
    path: `/${name}`,
    handler: name,
    stream: true,
  }))
  return packSmall(
    'acme.flow',
    {
      capabilities: ['attachments:write', 'attachments:read'],
      reasons: { 'attachments:write': 'Takes files.', 'attachments:read': 'Reads them.' },
      tenant_routes: [
        ...streams,
        { method: 'GET', path: '/slow', handler: 'slow', stream: true, timeoutMs: 300 },
        { method: 'GET', path: '/plain', handler: 'plain' },
        { method: 'POST', path: '/files', handler: 'keep', body: 'file', maxFileMb: 1 },
      ],
    },
    definition,
  )
}

describe('streams of plugins', () => {
  let platform: Platform
  let owner: Api
  let token: string
  let id: number

  before(async () => {
    platform = await startPlatform()
    ;({ owner, id } = await createTenant(platform.admin, 'one'))
    await installAndEnable(platform.admin, await pack())
    dataOf(await platform.admin.post('/plugins/acme.flow/tenants', { tenant_ids: [id] }))
    dataOf(await owner.post('/tenant/plugins/acme.flow/enable'))
    token = `Bearer ${owner.token ?? ''}`
  })
  after(() => platform[Symbol.asyncDispose]())

  const get = (path: string): Promise<Response> =>
    fetch(`${owner.url}/tenant/plugins/acme.flow/api${path}`, { headers: { authorization: token } })
  const upload = (body: string | Uint8Array<ArrayBuffer>, type: string, query = ''): Promise<Response> =>
    fetch(`${owner.url}/tenant/plugins/acme.flow/api/files${query}`, {
      ...{ method: 'POST', body },
      headers: { authorization: token, 'content-type': type },
    })
  const events = (text: string): readonly string[] =>
    text
      .split('\n\n')
      .map((part) => part.replace(/\n/g, ' | ').trim())
      .filter((part) => part !== '' && !part.startsWith(':'))

  it('bring each message as it is sent, and what the handler returns at the end', async () => {
    const response = await get('/count')
    assert.equal(response.headers.get('content-type')?.startsWith('text/event-stream'), true)
    const [first = '', ...more] = events(await response.text())
    assert.match(first, /event: count/)
    assert.match(first, /data: \{"index":1\}/)
    assert.match(first, /id: 1/)
    assert.equal(more.length, 3)
    assert.match(more.at(-1) ?? '', /event: result \| data: \{"counted":3\}/)
  })

  it('are ordinary answers where nothing was sent', async () => {
    const plain = await get('/count?none=1')
    assert.deepEqual(((await plain.json()) as { data: unknown }).data, { plain: true })
    assert.equal((await get('/count?fail=before')).status, 404)
    assert.equal((await get('/plain')).status, 400)
  })

  it('end with what went wrong, and nothing of ours', async () => {
    const text = await (await get('/count?fail=1')).text()
    assert.match(events(text).at(-1) ?? '', /event: error \| data: \{"code":5004/)
    assert.equal(text.includes('secret'), false)
    assert.match(events(await (await get('/slow')).text()).at(-1) ?? '', /"code":5040/)
  })

  it('are bounded in each message and in all', async () => {
    const large = (await (await get('/large')).json()) as { reason: string }
    assert.match(large.reason, /message_too_large/)
    const long = events(await (await get('/long')).text())
    assert.match(long.at(-1) ?? '', /stream_too_large/)
    assert.ok(long.join('').length < 1_300_000)
  })

  it('take one file of any type as it comes', async () => {
    const csv = await upload('a,b\n1,2\n', 'text/csv; charset=gbk', '?filename=rates.csv')
    assert.deepEqual(((await csv.json()) as { data: unknown }).data, {
      ...{ filename: 'rates.csv', mimeType: 'text/csv', size: 8, text: 'a,b\n1,2\n' },
    })
    const unnamed = await upload('{"a":1}', 'application/json')
    assert.equal(((await unnamed.json()) as { data: { filename: string } }).data.filename, 'upload.json')
  })

  it('take none that is too large, or has a name that is none', async () => {
    const tooLarge = await upload(new Uint8Array(1_100_000), 'text/plain')
    assert.equal(tooLarge.status, 413)
    const chunked = new Response(new Uint8Array(1_100_000).fill(97)).body
    const unannounced = await fetch(`${owner.url}/tenant/plugins/acme.flow/api/files`, {
      ...{ method: 'POST', body: chunked, duplex: 'half' },
      headers: { authorization: token, 'content-type': 'text/plain' },
    })
    assert.equal(unannounced.status, 413)
    assert.equal((await upload('x', 'text/plain', `?filename=${'x'.repeat(300)}.txt`)).status, 422)
    const left = dataOf(await owner.get('/tenant/attachments'))['items'] as unknown as { filename: string }[]
    assert.equal(
      left.some(({ filename }) => filename === 'upload.txt'),
      false,
    )
  })
})
