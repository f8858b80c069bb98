import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { defineRoute, eventStream, raw } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'

const noted = { type: 'object', required: ['done'], properties: { done: { type: 'integer' } } } as const
let done = 0
const pictures: Readable[] = []

async function* breakOff(): AsyncGenerator<string> {
  yield await Promise.resolve('half')
  throw new Error('broken off')
}

const routes = [
  defineRoute({
    method: 'post',
    path: '/deeds',
    summary: 'Does something',
    auth: 'none',
    schema: { response: noted },
    handler: () => ({ done: (done += 1) }),
  }),
  defineRoute({
    method: 'post',
    path: '/pictures',
    summary: 'Makes a picture',
    auth: 'none',
    answers: [{ types: ['image/png'] }],
    handler: () => raw(`picture ${(done += 1)}`, 'image/png'),
  }),
  defineRoute({
    method: 'get',
    path: '/half',
    summary: 'Breaks off',
    auth: 'none',
    answers: [{ types: ['text/plain'] }],
    handler: () => raw(Readable.from(breakOff()), 'text/plain'),
  }),
  defineRoute({
    method: 'get',
    path: '/picture',
    summary: 'Shows a picture',
    auth: 'none',
    answers: [{ types: ['image/png'] }],
    handler() {
      const content = Readable.from(['bytes'])
      pictures.push(content)
      return raw(content, 'image/png')
    },
  }),
  defineRoute({
    method: 'get',
    path: '/page',
    summary: 'Shows a page, or its data',
    auth: 'none',
    produces: ['application/json', 'text/html'],
    schema: { response: noted },
    handler: (ctx) => (ctx.header('accept') === 'text/html' ? raw('<p>1', 'text/html; charset=utf-8') : { done: 1 }),
  }),
  defineRoute({
    method: 'get',
    path: '/events',
    summary: 'Tells',
    auth: 'none',
    answers: [{ types: ['text/event-stream'] }],
    handler: () =>
      eventStream(
        (async function* () {
          yield await Promise.resolve({ data: 1 })
        })(),
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/tenant',
    summary: 'Tells for whom the request is',
    auth: 'none',
    tenant: 'required',
    handler: (ctx) => ({ code: ctx.tenant.code, host: ctx.header('host') }),
  }),
]

describe('the door', () => {
  let host: TestKernel
  before(async () => (host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity] })))
  after(() => host[Symbol.asyncDispose]())

  const get = async (path: string, accept: string) => {
    const { status, body, headers } = await host.request('GET', path, { headers: { accept } })
    return [status, body['code'], String(headers['content-type']).split(';')[0]]
  }
  const json = [200, 0, 'application/json']
  const refused = [406, 4060, 'application/json']

  it('sends JSON to whoever takes it in any words, and refuses the others', async () => {
    const taken = ['*/*', 'application/*', 'application/json', 'Application/JSON;q=0.3', 'application/problem+json', '']
    for (const accept of [...taken, 'text/html,application/xml;q=0.9,*/*;q=0.8', 'text/csv, application/json']) {
      assert.deepEqual(await get('/page', accept), json, accept)
    }
    const detailed = ['application/json; charset=utf-8', 'text/csv, application/json;version=1;q=0.5']
    for (const accept of detailed) assert.deepEqual(await get('/page', accept), json, accept)
    for (const accept of [
      'text/csv',
      'application/xml',
      'nonsense',
      'application/json;version=1;q=0',
      'application/json;q=0',
      '*/*;q=0',
    ]) {
      assert.deepEqual(await get('/page', accept), refused, accept)
    }
    const { body } = await host.request('GET', '/page', { headers: { accept: 'text/csv' } })
    assert.deepEqual(body['details'], { available: ['application/json', 'text/html'] })
    assert.deepEqual(await get('/page', 'text/html'), [200, undefined, 'text/html'])
  })

  it('refuses before anything is done', async () => {
    const post = async (accept: string) => (await host.request('POST', '/deeds', { headers: { accept } })).status
    assert.deepEqual([await post('text/csv'), done, await post('*/*'), done], [406, 0, 200, 1])
  })

  it('tells what was done in whatever type there is', async () => {
    const { status } = await host.request('POST', '/pictures', { headers: { accept: 'application/json' } })
    assert.equal(status, 200)
  })

  it('lets no answer that broke off look whole', async () => {
    const answer = await fetch(`${host.url}/half`)
    assert.equal(answer.status, 200)
    await assert.rejects(answer.text())
  })

  it('refuses files and streams that the caller does not take, and lets go of them', async () => {
    assert.deepEqual(await get('/picture', 'image/*'), [200, undefined, 'image/png'])
    assert.deepEqual(await get('/picture', 'application/json'), refused)
    assert.deepEqual(
      pictures.map(({ destroyed }) => destroyed),
      [true, true],
    )
    assert.deepEqual(await get('/events', 'text/event-stream'), [200, undefined, 'text/event-stream'])
    assert.deepEqual(await get('/events', 'application/json'), refused)
  })

  it('tells errors to everybody, whatever they take', async () => {
    assert.deepEqual(await get('/nowhere', 'text/csv'), [404, 4044, 'application/json'])
  })

  it('refuses a request that names its host twice', async () => {
    for (const hosts of ['Host: x\r\nHost: y', 'Host: x\r\nhost: x']) {
      assert.deepEqual(await speak(`GET /page HTTP/1.1\r\n${hosts}`), [400, 4000, 'bad_request'])
    }
    assert.deepEqual(await speak('GET /page HTTP/1.1\r\nHost: x'), [200, 0, undefined])
  })

  it('takes the absolute form by its path, for the host in it', async () => {
    const target = (where: string) => `GET ${where} HTTP/1.1\r\nHost: elsewhere`
    assert.deepEqual(await speak('GET /tenant HTTP/1.1\r\nHost: elsewhere'), [404, 4041, 'tenant_not_recognised'])
    for (const where of ['http://acme.test/tenant', 'HTTPS://acme.test:8443/tenant?a=b']) {
      assert.deepEqual(await speak(target(where)), [200, 0, undefined])
    }
    assert.deepEqual(await speak(target('http://acme.test?a=b')), [404, 4044, 'route_not_found'])
    for (const where of ['ftp://acme.test/tenant', 'http:///tenant', 'http://a@acme.test/tenant', 'tenant']) {
      assert.deepEqual(await speak(target(where)), [400, 4000, 'bad_request'], where)
    }
    const two = await speak('GET http://acme.test/tenant HTTP/1.1\r\nHost: a\r\nHost: b')
    assert.deepEqual(two, [400, 4000, 'bad_request'])
  })

  it('promises nothing but to go on', async () => {
    const post = (line: string) => speak(`POST /deeds HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${line}`)
    const before = done
    assert.deepEqual(await post('Expect: a-miracle'), [417, 4170, 'expectation_failed'])
    assert.deepEqual(await post('Expect: 100-Continue'), [200, 0, undefined])
    assert.equal(done, before + 1)
  })

  /** Sends the head of a request as it stands; what comes back: status, code and reason of the last answer. */
  async function speak(head: string): Promise<unknown[]> {
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${head}\r\nConnection: close\r\n\r\n`)
    const answer = (await text(socket)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
    const [first = '', body = ''] = answer.split('\r\n\r\n')
    const { code, reason } = JSON.parse(body) as Record<string, unknown>
    return [Number(first.split(' ')[1]), code, reason]
  }
})
