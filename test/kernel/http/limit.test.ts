// @both-back-ends
import assert from 'node:assert/strict'
import { defineError, definePlugin, defineRoute, trustedProxies, type RateLimit } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { described, probeIdentity, probeRoutes } from '../../support/probe.ts'

const ProbeLimitedError = defineError(4294, 'probe_limited', 'Too many probes')

function limited(path: string, limit: RateLimit | (() => Promise<RateLimit>), auth: 'none' | 'optional' = 'none') {
  return defineRoute({ method: 'get', path, summary: path, auth, limit, handler: () => 1 })
}

const routes = [
  limited('/image', { policy: 'image', requests: 2, seconds: 60, by: 'ip', error: ProbeLimitedError }),
  limited('/image-too', { policy: 'image', requests: 2, seconds: 60, by: 'ip' }),
  limited('/user', { policy: 'user', requests: 1, seconds: 60, by: 'user' }, 'optional'),
  limited('/live', () => Promise.resolve({ policy: 'live', requests: 1, seconds: 9, by: 'ip' })),
]
const proxy = definePlugin({
  ...described('proxy'),
  setup: (scope) => scope.provide(trustedProxies, { isTrusted: (address) => address === '127.0.0.1' }),
})

describe('a limit', () => {
  let host: TestKernel
  beforeEach(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity, proxy] })
  })
  afterEach(() => host[Symbol.asyncDispose]())

  async function ask(path: string, ip: string, token?: string): Promise<unknown> {
    const { status, body } = await host.request('GET', path, { token, headers: { 'x-forwarded-for': ip } })
    return status === 200 ? 200 : `${status}/${JSON.stringify(body['code'])}`
  }

  it('tells how the caller stands, and when to come again', async () => {
    const answers = []
    for (let at = 0; at < 3; at += 1) answers.push(await host.request('GET', '/image'))
    assert.deepEqual(
      answers.map(({ status, headers, body }) => [
        status,
        headers['ratelimit-policy'],
        headers['ratelimit'],
        body['code'],
      ]),
      [
        [200, '"image";q=2;w=60', '"image";r=1;t=60', 0],
        [200, '"image";q=2;w=60', '"image";r=0;t=60', 0],
        [429, '"image";q=2;w=60', '"image";r=0;t=60', 4294],
      ],
    )
    assert.deepEqual([answers[2]?.headers['retry-after'], answers[2]?.body['details']], ['60', { retry_after: 60 }])
  })

  it('counts what routes of one policy share, per address', async () => {
    assert.deepEqual(
      [
        await ask('/image', '198.51.100.1'),
        await ask('/image-too', '198.51.100.1'),
        await ask('/image-too', '198.51.100.1'),
        await ask('/image-too', '198.51.100.2'),
      ],
      [200, 200, '429/4290', 200],
    )
  })

  it('counts an IPv6 subscriber as one', async () => {
    const ips = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::3', '2001:db8:1:3::1']
    const answers = []
    for (const ip of ips) answers.push(await ask('/image', ip))
    assert.deepEqual(answers, [200, 200, '429/4294', 200])
  })

  it('counts users wherever they are, and strangers by address', async () => {
    assert.deepEqual(
      [
        await ask('/user', '198.51.100.1', 'tenant:1:7'),
        await ask('/user', '198.51.100.2', 'tenant:1:7'),
        await ask('/user', '198.51.100.2', 'tenant:3:7'),
        await ask('/user', '198.51.100.2'),
        await ask('/user', '198.51.100.2'),
      ],
      [200, '429/4290', 200, 200, '429/4290'],
    )
  })

  it('may be asked for at each request', async () => {
    const { headers } = await host.request('GET', '/live')
    assert.equal(headers['ratelimit-policy'], '"live";q=1;w=9')
  })
})
