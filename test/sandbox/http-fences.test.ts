import { deepEqual, equal } from 'node:assert/strict'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import { createFakeClient } from '../../sandbox/broker/http/fake-client.ts'
import { createHttpCapability } from '../../sandbox/broker/http.ts'
import type { FakeAnswer, SentRequest } from '../../sandbox/capabilities/outside.ts'
import type { Grants } from '../../sandbox/grants.ts'
import { GuestCalls, grantsOf, type TestCall } from './capabilities-call.ts'

const url = 'https://api.example.test/'

describe('a request of a guest', () => {
  const sent: SentRequest[] = []
  beforeEach(() => void (sent.length = 0))

  const serving = (given: Partial<Grants> = {}, answer: FakeAnswer = { body: 1 }) => {
    const grants = grantsOf({ capabilities: new Set(['http']), hosts: [{ host: 'api.example.test' }], ...given })
    const client = createFakeClient({ [`GET ${url}`]: answer }, sent)
    const capability = createHttpCapability({ client, grants, limiter: new MemoryRateLimiter() })
    return (call?: TestCall) => new GuestCalls(capability, call)
  }

  it('goes to any host for no tenant that refused it', async () => {
    const guest = serving({
      capabilities: new Set(['http', 'http:any']),
      hosts: [{ host: '*' }],
      deniedFor: (tenantId) => new Set(tenantId === 2 ? (['http:any'] as const) : []),
    })
    equal(await guest({ tenantId: 2 }).ask('http.fetch', { url }), 'forbidden host_not_granted')
    equal(sent.length, 0)
    equal(((await guest({ tenantId: 1 }).ask('http.fetch', { url })) as { status: number }).status, 200)
  })

  it('counts for its own tenant', async () => {
    const guest = serving()
    const limits = { httpPerMinute: 1 }
    const statusFor = async (tenantId: number): Promise<unknown> => {
      const answer = await guest({ tenantId, limits }).ask('http.fetch', { url })
      return typeof answer === 'string' ? answer : (answer as { status: number }).status
    }
    deepEqual([await statusFor(1), await statusFor(2), await statusFor(1)], [200, 200, 'rate_limited http_rate'])
  })

  it('has an address that is bounded with its query', async () => {
    const ask = (length: number) => serving()().ask('http.fetch', { url, query: { q: 'x'.repeat(length) } })
    equal(((await ask(8_000)) as { status: number }).status, 200)
    equal(await ask(8_192), 'bad_request argument_invalid')
    equal(sent.length, 1)
  })

  it('has none of the headers that are the client’s, a browser’s or a machine’s', async () => {
    const names = [
      ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive'],
      ...['expect', 'http2-settings', 'accept-encoding', 'cookie', 'cookie2', 'forwarded', 'via', 'x-real-ip'],
      ...['origin', 'referer', 'metadata', 'metadata-flavor', 'x-google-metadata-request', 'x-metadata-token'],
      ...['x-tencent-metadata-token', 'x-identity-header', 'proxy-connection', 'sec-websocket-key'],
      ...['x-forwarded-host', 'x-aws-ec2-metadata-token', 'x-aliyun-ecs-metadata-token'],
    ]
    const guest = serving()
    const taken: string[] = []
    for (const name of names) {
      const answer = await guest().ask('http.fetch', { url, headers: { [name]: 'x' } })
      if (answer !== 'bad_request argument_invalid') taken.push(name)
    }
    deepEqual(taken, [])
    equal(sent.length, 0)
  })

  it('is answered with a text where the answer nests deeper than JSON may', async () => {
    const body = '['.repeat(10_000) + ']'.repeat(10_000)
    const guest = serving({}, { body })()
    equal(((await guest.ask('http.fetch', { url })) as { body: unknown }).body, body)
    equal(await guest.ask('http.fetch', { url, as: 'json' }), 'upstream response_not_json')
  })
})
