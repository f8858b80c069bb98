import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { clientIp, ipLimitKey, requestHost } from '../../../kernel/http/ip.ts'

const proxies = { isTrusted: (address: string) => address.startsWith('10.') || address === '::1' }

function request(remoteAddress: string, headers: Record<string, string>): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

describe('the client’s address', () => {
  const cases: readonly (readonly [peer: string, forwarded: string, expected: string])[] = [
    ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['::ffff:10.0.0.1', ' 1.1.1.1 ', '1.1.1.1'],
    ['::1', '[2001:db8::1]:443', '2001:db8::1'],
    ['10.0.0.1', '1.1.1.1:5000', '1.1.1.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1, <script>', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
  ]
  for (const [peer, forwarded, expected] of cases) {
    it(`is ${expected} when ${peer} says "${forwarded}"`, () => {
      assert.equal(clientIp(request(peer, { 'x-forwarded-for': forwarded }), proxies), expected)
    })
  }

  it('is the peer’s when nobody is trusted', () => {
    assert.equal(clientIp(request('10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }), undefined), '10.0.0.1')
  })

  it('counts as its /64 where it is IPv6', () => {
    assert.deepEqual(['203.0.113.9', '2001:db8:0:1::5', '2001:DB8:0:1:ffff:ffff:ffff:ffff'].map(ipLimitKey), [
      '203.0.113.9',
      '2001:db8:0:1::/64',
      '2001:db8:0:1::/64',
    ])
  })
})

describe('the host of a request', () => {
  it('is lower case, without port and final dot, and a trusted proxy’s where there is one', () => {
    const host = (peer: string, headers: Record<string, string>) => requestHost(request(peer, headers), proxies)
    assert.deepEqual(
      [
        host('203.0.113.9', { host: 'ACME.test.:3000' }),
        host('203.0.113.9', { host: 'a.test', 'x-forwarded-host': 'b.test' }),
        host('10.0.0.1', { host: 'a.test', 'x-forwarded-host': 'B.test:443, c.test' }),
        host('10.0.0.1', { host: 'bücher.test' }),
        host('10.0.0.1', { host: '[::1]:80' }),
        host('10.0.0.1', {}),
      ],
      ['acme.test', 'a.test', 'b.test', 'xn--bcher-kva.test', '[::1]', ''],
    )
  })
})
