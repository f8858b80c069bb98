import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'
import { routes, sources } from './reply-routes.ts'

describe('what goes out', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity] })
  })
  after(() => host[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}) => host.request('GET', path, { headers })

  it('is wrapped, with the trace id of the header', async () => {
    const { status, headers, body } = await get('/value')
    const traceId = headers['x-trace-id']
    assert.match(String(traceId), /^[0-9a-f]{32}$/)
    assert.deepEqual(
      [status, body, headers['cache-control'], headers['x-content-type-options'], headers['referrer-policy']],
      [
        200,
        { code: 0, message: 'ok', data: { a: 1 }, trace_id: traceId },
        'no-store',
        'nosniff',
        'strict-origin-when-cross-origin',
      ],
    )
  })

  it('has the trace id of a valid traceparent', async () => {
    const id = '0af7651916cd43dd8448eb211c80319c'
    const good = await get('/value', { traceparent: `00-${id}-b7ad6b7169203331-01` })
    const bad = await get('/value', { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` })
    assert.equal(good.headers['x-trace-id'], id)
    assert.notEqual(bad.headers['x-trace-id'], '0'.repeat(32))
  })

  it('is null where a handler returns nothing', async () => {
    assert.equal((await get('/nothing')).body['data'], null)
  })

  it('is the data alone for callers that prefer it', async () => {
    const { headers, body } = await get('/value', { prefer: 'respond-async, return=bare' })
    assert.deepEqual([body, headers['preference-applied']], [{ a: 1 }, 'return=bare'])
  })

  it('is what each kind of reply says', async () => {
    const paths = ['/created', '/accepted', '/text', '/bare', '/no-content']
    const answers = await Promise.all(paths.map((path) => get(path)))
    const shown = answers.map(({ status, headers, body }) => [
      status,
      headers['location'] ?? headers['pragma'] ?? null,
      typeof body === 'object' && 'trace_id' in body ? { ...body, trace_id: '' } : body,
    ])
    const wrap = (value: unknown) => ({ code: 0, message: 'ok', data: value, trace_id: '' })
    assert.deepEqual(shown, [
      [201, '/things/1', wrap({ id: 1 })],
      [202, null, wrap({ id: 1 })],
      [200, null, wrap({ a: 1 })],
      [200, 'no-cache', { token: 'x' }],
      [204, null, ''],
    ])
  })

  it('is not sent again to a caller that has it', async () => {
    const first = await get('/etag')
    const since = { 'if-modified-since': 'Mon, 05 Jan 2026 00:00:00 GMT' }
    const known = await get('/etag', { 'if-none-match': '"v0", W/"v1"', ...since })
    const other = await get('/etag', { 'if-none-match': '"v2"' })
    const sent = request(`${host.url}/etag`, { headers: { 'if-none-match': '"v0", "v1"' } }).end()
    const [{ statusMessage }] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(statusMessage, 'Not Modified')
    assert.deepEqual(
      [first, known, other].map(({ status, headers }) => [status, headers['etag'], headers['cache-control']]),
      [
        [200, '"v1"', 'no-cache'],
        [304, '"v1"', 'no-cache'],
        [200, '"v1"', 'no-cache'],
      ],
    )
  })

  it('is refused to a caller that knows another version', async () => {
    const put = (match?: string) =>
      host.request('PUT', '/etag', { headers: match === undefined ? {} : { 'if-match': match } })
    const answers = [await put(), await put('"v1"'), await put('*'), await put('"v0", "v1"')]
    answers.push(await put('"v2"'), await put('"v0", "v2"'))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      [
        [200, 0],
        [200, 0],
        [200, 0],
        [200, 0],
        [412, 4120],
        [412, 4120],
      ],
    )
  })

  it('has the headers that a handler sets', async () => {
    assert.equal((await get('/header')).headers['cache-control'], 'max-age=60')
  })

  it('is without a body for HEAD', async () => {
    const paths = ['/value', '/stream', '/events', '/missing']
    const answers = await Promise.all(paths.map((path) => host.request('HEAD', path)))
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['content-type']]),
      [
        [200, 'application/json; charset=utf-8'],
        [200, 'application/octet-stream'],
        [200, 'text/event-stream; charset=utf-8'],
        [404, 'application/json; charset=utf-8'],
      ],
    )
  })

  it('may be a redirect, bytes or a page that runs nothing', async () => {
    const answers = [await get('/redirect'), await get('/html'), await get('/buffer'), await get('/stream')]
    assert.deepEqual(
      answers.map(({ status, headers, body }) => [status, headers['location'] ?? headers['content-type'], body]),
      [
        [302, '/value', ''],
        [200, 'text/html; charset=utf-8', '<p>'],
        [200, 'image/png', '\x01\x02'],
        [200, 'application/octet-stream', 'onetwo'],
      ],
    )
    assert.match(String(answers[1]?.headers['content-security-policy']), /^default-src 'none'.*sandbox$/)
    assert.equal(answers[2]?.headers['content-security-policy'], 'sandbox')
  })

  it('is kept by nobody where it is a file for somebody who is signed in', async () => {
    const answers = [await get('/own-file', { authorization: 'Bearer tenant:1:7:note:read' }), await get('/own-file')]
    assert.deepEqual(
      answers.map(({ body, headers }) => [body, headers['cache-control']]),
      [
        ['mine', 'no-store'],
        ['mine', undefined],
      ],
    )
  })

  it('is an error where a stream fails before its first byte, and a cut connection after it', async () => {
    assert.equal((await get('/late-stream')).body['code'], 5000)
    await assert.rejects(get('/broken-stream'))
  })

  it('is let go when the caller goes away', async () => {
    for (const path of ['/waiting-stream', '/endless-events']) {
      const gone = new Promise((resolve) => (sources.ended = resolve))
      const leaving = new AbortController()
      const answer = await fetch(host.url + path, { signal: leaving.signal })
      await answer.body?.getReader().read()
      leaving.abort()
      assert.equal(await gone, true)
    }
  })

  it('is let go where nobody reads it: for HEAD, and where the caller takes nothing of its kind', async () => {
    for (const [method, accept, status] of [['HEAD', '*/*', 200] as const, ['GET', 'application/json', 406] as const]) {
      const gone = new Promise((resolve) => (sources.ended = resolve))
      const answer = await fetch(`${host.url}/open-events`, { method, headers: { accept } })
      assert.equal(answer.status, status)
      assert.equal(await gone, true)
    }
  })

  it('is a stream of events', async () => {
    const { headers, body } = await get('/events')
    assert.deepEqual(
      [headers['content-type'], headers['cache-control'], headers['x-accel-buffering'], body],
      ['text/event-stream; charset=utf-8', 'no-store', 'no', 'id: 7\nevent: note\ndata: {"a":1}\n\ndata: [DONE]\n\n'],
    )
  })

  it('ends a stream of events that fails with an event that says so', async () => {
    const failed = await get('/failing-events')
    const broken = await get('/broken-events')
    const first = 'id: 1 \nevent: a b\ndata: two\ndata: lines\n\n'
    const trace = (answer: typeof failed) => String(answer.headers['x-trace-id'])
    assert.deepEqual(
      [failed.body, broken.body],
      [
        `${first}event: error\ndata: {"code":4099,"message":"The probe failed","trace_id":"${trace(failed)}","reason":"probe_failed"}\n\n`,
        `${first}event: error\ndata: {"code":5000,"message":"Internal error","trace_id":"${trace(broken)}","reason":"internal_error"}\n\n`,
      ],
    )
  })

  it('fails a test when it is not what the schema promises', async () => {
    assert.equal((await get('/promise')).status, 500)
  })
})
