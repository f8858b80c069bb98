// @both-back-ends
import assert from 'node:assert/strict'
import { definePlugin, defineRoute, raw } from '#kernel'
import type { Answer, CallOptions } from '../../support/api.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { described, probeIdentity } from '../../support/probe.ts'

const etag = '"one"'
const path = '/thing?w=1'

describe('an answer that stands', () => {
  let host: TestKernel
  let runs: number
  let stands: boolean
  let requests: number
  let checks: number
  const thing = definePlugin({
    ...described('thing'),
    setup(scope) {
      scope.route(
        defineRoute({
          method: 'get',
          path: '/thing',
          summary: 'Read the thing',
          auth: 'optional',
          tenant: 'optional',
          produces: ['*/*'],
          limit: () => ({ policy: 'thing', requests, seconds: 60, by: 'ip' }),
          answers: [{ types: ['text/plain'] }, 304],
          schema: { query: { type: 'object', properties: { w: { type: 'string' } } } },
          handler(ctx) {
            runs += 1
            const headers = { etag, 'cache-control': 'public, max-age=5' }
            if (!ctx.isFresh(etag)) return raw('thing', 'text/plain', { headers })
            return raw('', 'text/plain', { status: 304, headers, stands: () => stands })
          },
        }),
      )
      scope.route(
        defineRoute({
          method: 'get',
          path: '/checked',
          summary: 'Read what is behind a check',
          auth: 'none',
          produces: ['*/*'],
          answers: [304],
          admit: () => void (checks += 1),
          handler: () => raw('', 'text/plain', { status: 304, headers: { etag }, stands: () => true }),
        }),
      )
    },
  })
  beforeEach(async () => {
    ;[runs, stands, requests, checks] = [0, true, 100, 0]
    host = await startTestKernel({ plugins: [probeIdentity, thing] })
  })
  afterEach(() => host[Symbol.asyncDispose]())

  const ask = (headers: CallOptions['headers'] = {}, more: CallOptions = {}, method: 'GET' | 'HEAD' = 'GET') =>
    host.api.call(method, path, { ...more, headers: { 'if-none-match': etag, ...headers } })
  const told = ({ status, headers }: Answer): object => {
    const own = ['date', 'x-trace-id', 'ratelimit']
    const same = Object.entries(headers).filter(([name]) => ![...own, 'connection', 'keep-alive'].includes(name))
    return { status, same: Object.fromEntries(same), has: own.every((name) => typeof headers[name] === 'string') }
  }

  it('is told again without its handler, with all that the pipeline says', async () => {
    const first = await ask()
    const again = await ask()
    assert.deepEqual([told(again), runs], [told(first), 1])
    assert.deepEqual(
      [first.headers['ratelimit'], again.headers['ratelimit']],
      ['"thing";r=99;t=60', '"thing";r=98;t=60'],
    )
    assert.notEqual(first.headers['x-trace-id'], again.headers['x-trace-id'])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const traced = await ask({ traceparent, 'cache-control': 'max-age=0', 'accept-language': 'zh-CN' }, {}, 'HEAD')
    assert.deepEqual([told(traced), runs], [told(first), 1])
    assert.equal(traced.headers['x-trace-id'], '0af7651916cd43dd8448eb211c80319c')
  })

  it('is for the handler where a request brings more, or is for somebody else', async () => {
    await ask()
    const others: readonly [CallOptions['headers'], CallOptions?][] = [
      [{}, { token: 'tenant:1:7:note:read' }],
      [{ 'x-api-key': 'tenant:1:7:note:read' }],
      [{ origin: 'http://elsewhere.test' }],
      [{ 'api-version': '2026-11-21' }],
      [{ 'cache-control': 'no-cache' }],
      [{ 'if-none-match': '"other"' }],
      [{ 'if-none-match': `${etag}, "other"` }],
      [{}, { host: 'blue.test' }],
    ]
    for (const [at, [headers, more]] of others.entries()) {
      await ask(headers, more)
      assert.equal(runs, at + 2, JSON.stringify([headers, more]))
    }
    assert.equal((await ask({ 'api-version': 'none' })).status, 400)
    assert.equal((await ask({}, { host: 'gone.test' })).body['code'], 4035)
    // A tenant's host has answers of its own.
    await ask({}, { host: 'blue.test' })
    assert.equal(runs, others.length + 1)
    await host.api.get('/thing?w=2', { headers: { 'if-none-match': etag } })
    assert.equal(runs, others.length + 2)
  })

  it('is asked for each time where the route has a check of its own', async () => {
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await host.api.get('/checked', { headers: { 'if-none-match': etag } })).status, 304)
    }
    assert.equal(checks, 3)
  })

  it('ends with what it follows from, with its limit and with its route', async () => {
    await ask()
    stands = false
    assert.deepEqual([(await ask()).status, runs], [304, 2])
    ;[stands, requests] = [true, 3]
    assert.deepEqual([(await ask()).status, runs], [304, 2])
    const refused = await ask()
    assert.deepEqual([refused.status, refused.body['code'], refused.headers['retry-after']], [429, 4290, '60'])
    requests = 100
    assert.deepEqual([(await ask()).status, runs], [304, 2])
    await host.kernel.disable('thing')
    assert.equal((await ask()).body['code'], 4044)
  })
})
