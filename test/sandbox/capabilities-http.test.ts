import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHttpCapability } from '../../sandbox/broker/http.ts'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import type { HostGrant } from '../../sandbox/grants.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-world.ts'
import { until } from '../support/until.ts'
import { GuestCalls, grantsOf, type TestCall } from './capabilities-call.ts'
import { ungrantedUrls } from './capabilities-http-addresses.ts'

describe('requests of a guest', () => {
  let world: HttpWorld
  const calls = (hosts?: readonly HostGrant[], call?: TestCall): GuestCalls => {
    const granted = hosts ?? [{ host: 'api.example.test', ports: [world.port], methods: ['GET', 'POST'] }]
    const capabilities = new Set(
      granted.some(({ host }) => host === '*') ? (['http', 'http:any'] as const) : (['http'] as const),
    )
    const grants = grantsOf({ capabilities, hosts: granted })
    return new GuestCalls(
      createHttpCapability({ client: world.client, grants, limiter: new MemoryRateLimiter() }),
      call,
    )
  }
  const at = (path: string): string => `http://api.example.test:${world.port}${path}`

  before(async () => (world = await startHttpWorld()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => void (world.seen.length = 0))

  it('end at hosts, ports and methods that were granted', async () => {
    const granted = [{ host: 'api.example.test', ports: [443, 8443], methods: ['GET'] }]
    const answers = await Promise.all(
      ungrantedUrls.map(async (url) => [url, await calls(granted).ask('http.fetch', { url })]),
    )
    const passed = answers.filter(
      ([, answer]) => answer !== 'forbidden host_not_granted' && answer !== 'bad_request argument_invalid',
    )
    deepEqual(passed, [])
    const other = await calls(granted).ask('http.fetch', { url: 'https://api.example.test/', method: 'DELETE' })
    equal(other, 'forbidden host_not_granted')
    equal(world.seen.length, 0)
  })

  it('reach no strangers by a wildcard over a public suffix, however it came to be granted', async () => {
    const asked = [
      ['shop.co.uk', '*.co.uk'],
      ['somebody.github.io', '*.github.io'],
      ['api.test', '*.test'],
      ['api.example.test', '*.*'],
      ['api.example.test', '*.'],
      ['api.example.test', '**'],
    ] as const
    const answers = await Promise.all(
      asked.map(([name, granted]) =>
        calls([{ host: granted, ports: [world.port] }]).ask('http.fetch', { url: `http://${name}:${world.port}/json` }),
      ),
    )
    deepEqual(answers, Array(asked.length).fill('forbidden host_not_granted'))
    equal(world.seen.length, 0)
  })

  it('reach what a wildcard covers and nothing beside it', async () => {
    const wildcard = [{ host: '*.example.test', ports: [world.port] }]
    const ask = (host: string, hosts: readonly HostGrant[]): Promise<unknown> =>
      calls(hosts).ask('http.fetch', { url: `http://${host}:${world.port}/json` })
    deepEqual(
      [
        ((await ask('api.example.test', wildcard)) as { status: number }).status,
        await ask('example.test', wildcard),
        await ask('xexample.test', wildcard),
        await ask('private.test', [{ host: '*', ports: [world.port] }]),
        await ask('127.0.0.1', [{ host: '*', ports: [world.port] }]),
        await ask('127.0.0.1', [{ host: '127.0.0.1', ports: [world.port] }]),
      ],
      [
        200,
        ...Array<string>(2).fill('forbidden host_not_granted'),
        ...Array<string>(2).fill('forbidden address_forbidden'),
        'forbidden host_not_granted',
      ],
    )
  })

  it('get the answer, decoded, and redirects as answers', async () => {
    const ask = async (path: string, parts = {}): Promise<unknown> => {
      const answer = (await calls().ask('http.fetch', { url: at(path), ...parts })) as { status: number; body: unknown }
      return [answer.status, answer.body]
    }
    deepEqual(
      [
        await ask('/json'),
        await ask('/gzip'),
        await ask('/redirect'),
        await ask('/text'),
        await ask('/json', { as: 'base64' }),
        await ask('/missing'),
      ],
      [
        [200, { rate: 1.1 }],
        [200, { zipped: true }],
        [302, ''],
        [200, '<h1>no JSON</h1>'],
        [200, { base64: Buffer.from('{"rate":1.1}').toString('base64') }],
        [404, {}],
      ],
    )
    equal(await calls().ask('http.fetch', { url: at('/text'), as: 'json' }), 'upstream response_not_json')
    equal(world.seen.length, 7)
  })

  it('send what was asked for and nothing of the platform', async () => {
    const request = {
      url: at('/echo?a=1'),
      method: 'POST',
      query: { b: [2, 'x y'], c: true },
      headers: { 'X-Key': 'k' },
      body: { n: 1 },
    }
    const { body } = (await calls().ask('http.fetch', request)) as {
      body: { method: string; url: string; headers: object }
    }
    deepEqual(body, {
      method: 'POST',
      url: '/echo?a=1&b=2&b=x+y&c=true',
      headers: {
        host: `api.example.test:${world.port}`,
        connection: 'keep-alive',
        'user-agent': 'stoa',
        'content-type': 'application/json',
        'x-key': 'k',
        'accept-encoding': 'gzip, deflate, br',
        'content-length': '7',
      },
    })
  })

  it('cannot smuggle headers', async () => {
    const headers = [
      ...[
        { host: 'evil.test' },
        { Connection: 'upgrade' },
        { 'content-length': '5' },
        { 'transfer-encoding': 'chunked' },
      ],
      ...[
        { cookie: 'a=b' },
        { 'X-Forwarded-For': '1.1.1.1' },
        { 'proxy-authorization': 'x' },
        { 'Metadata-Flavor': 'Google' },
        { Metadata: 'true' },
        { 'X-aws-ec2-metadata-token-ttl-seconds': '60' },
        { 'X-aws-ec2-metadata-token': 'taken' },
        { 'X-Metadata-Token': 'taken' },
        { 'X-Google-Metadata-Request': 'True' },
        { 'Sec-Fetch-Site': 'none' },
      ],
      ...[
        { 'x-a': 'b\r\nhost: evil.test' },
        { 'x-a': 'b\nc' },
        { 'x-a\r\nb': 'c' },
        { 'x a': 'b' },
        { 'x-a:': 'b' },
        { '': 'b' },
      ],
      ...[
        { 'x-a': 1 },
        { 'x-a': ['b'] },
        { 'x-a': 'b\0' },
        { 'x-a': '\u0100' },
        { 'x-a': 'y'.repeat(9_000) },
        [['host', 'x']],
      ],
      Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`x-${index}`, ''])),
    ]
    const answers = await Promise.all(
      headers.map((each) => calls().ask('http.fetch', { url: at('/echo'), headers: each })),
    )
    deepEqual(answers, Array(headers.length).fill('bad_request argument_invalid'))
  })

  it('end in time and with as many bytes as allowed', async () => {
    const ask = (path: string): Promise<unknown> =>
      calls().ask('http.fetch', { url: at(path), timeoutMs: /hang|drip/.test(path) ? 300 : 10_000 })
    const paths = [
      '/hang',
      '/drip',
      '/large',
      '/endless',
      '/bomb',
      '/nested-bomb',
      '/broken-gzip',
      '/odd-encoding',
      '/headers',
    ]
    deepEqual(await Promise.all(paths.map(ask)), [
      ...['upstream timeout', 'upstream timeout', 'upstream response_too_large', 'upstream response_too_large'],
      ...['upstream response_too_large', 'upstream response_too_large', 'upstream response_invalid'],
      ...['upstream response_invalid', 'upstream response_invalid'],
    ])
  })

  it('end as early as the platform’s configuration wants, whatever they ask for', async () => {
    const hurried = calls(undefined, { limits: { httpTimeoutMs: 100 } })
    const began = performance.now()
    equal(await hurried.ask('http.fetch', { url: at('/hang'), timeoutMs: 30_000 }), 'upstream timeout')
    ok(performance.now() - began < 5_000)
  })

  it('are cancelled when the call ends or its caller goes away', async () => {
    const caller = new AbortController()
    const one = calls(undefined, { signal: caller.signal })
    const other = calls()
    const asked = [one.ask('http.fetch', { url: at('/hang') }), other.ask('http.fetch', { url: at('/hang') })]
    await until(() => world.seen.length === 2)
    caller.abort()
    other.end()
    deepEqual(await Promise.all(asked), ['upstream aborted', 'upstream aborted'])
    await until(() => world.seen.every(({ destroyed }) => destroyed))
  })

  it('are counted by call and by minute', async () => {
    const url = at('/json')
    const one = calls(undefined, { limits: { httpCalls: 2 } })
    const other = calls(undefined, { limits: { httpPerMinute: 2 } })
    const thrice = async (guest: GuestCalls): Promise<unknown> => {
      await guest.ask('http.fetch', { url })
      await guest.ask('http.fetch', { url })
      return guest.ask('http.fetch', { url })
    }
    deepEqual([await thrice(one), await thrice(other)], ['rate_limited http_calls', 'rate_limited http_rate'])
  })
})
