import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Body } from '../../support/api.ts'
import { admin, owner, plugins } from '../../support/configuration.ts'
import { startFakeDns, type FakeDns } from '../../support/fake-dns.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { platformToken } from '../../support/plain-identity.ts'

/** What each name has, by type and name; `silent` is never answered. */
const zone: Readonly<Record<string, readonly string[]>> = {
  'A good.example.com': ['192.0.2.1'],
  'AAAA good.example.com': ['2001:0db8:0000:0000:0000:0000:0000:0001'],
  'A half.example.com': ['192.0.2.1', '203.0.113.9'],
  'A alias.example.com': ['203.0.113.7'],
  'CNAME alias.example.com': ['tenants.good.example.com'],
  'A closed.example.net': ['192.0.2.1'],
  'CAA example.net': ['issue other-ca.test'],
  'A open.example.org': ['192.0.2.1'],
  'CAA open.example.org': ['issue letsencrypt.org'],
  'CAA example.org': ['issue other-ca.test'],
  'CNAME _acme-challenge.open.example.org': ['elsewhere.test'],
}

describe('the DNS readiness of the platform', () => {
  let dns: FakeDns
  let host: TestKernel
  before(async () => {
    dns = await startFakeDns((name, type) => {
      if (name.startsWith('silent.')) return undefined
      if (type === 'A' && /^[0-9a-f]{8}\.tenants\.example\.com$/.test(name)) return ['192.0.2.1']
      return zone[`${type} ${name}`] ?? []
    })
    host = await startTestKernel({ plugins, env: { DNS_SERVERS: dns.address } })
  })
  after(async () => {
    await host[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  const path = '/admin/configs/platform-ssl/dns-readiness'
  const read = async (query = ''): Promise<Body> => {
    const answer = await host.api.get(path + query, { token: admin })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body['data'] as Body
  }
  const set = async (group: string, values: unknown): Promise<void> => {
    const answer = await host.api.put(`/admin/configs/groups/${group}`, values, { token: admin })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const reasonsOf = ({ domains }: Body): unknown =>
    Object.fromEntries(
      (domains as unknown as readonly Body[]).map(({ domain, issues }) => [
        domain,
        (issues as unknown as readonly Body[]).map(({ reason }) => reason),
      ]),
    )

  it('says of each domain what is found, what is expected and what to do', async () => {
    await set('platform_domain', {
      platform_domains: ['good.example.com', 'half.example.com', 'alias.example.com', 'gone.example.com', 'localhost'],
      server_ips: ['192.0.2.1', '2001:db8::1'],
    })
    const answer = await read()
    assert.deepEqual(
      [answer['ready'], answer['expected'], reasonsOf(answer)],
      [
        false,
        { ips: ['192.0.2.1', '2001:db8::1'], cname: 'tenants.good.example.com' },
        {
          'good.example.com': [],
          'half.example.com': ['not_pointing_here'],
          'alias.example.com': [],
          'gone.example.com': ['nxdomain'],
          localhost: ['private_name'],
        },
      ],
    )
    assert.deepEqual(answer['domains']?.['1'], {
      domain: 'half.example.com',
      ready: false,
      records: [
        { type: 'A', found: ['192.0.2.1', '203.0.113.9'], expected: ['192.0.2.1'], ok: false },
        { type: 'AAAA', found: [], expected: ['2001:db8::1'], ok: true },
      ],
      wildcard: null,
      caa: { ok: true, found: [] },
      acme_challenge: { ok: true, conflict: null },
      issues: [
        {
          reason: 'not_pointing_here',
          message: 'half.example.com leads elsewhere',
          fix: 'Point its A and AAAA records to 192.0.2.1, 2001:db8::1, and remove all others',
        },
      ],
    })
  })

  it('is kept for a while, until somebody asks again or the settings change', async () => {
    await set('platform_domain', { platform_domains: ['good.example.com'] })
    const first = await read()
    const asked = dns.questions.length
    assert.deepEqual([await read(), dns.questions.length, first['ready']], [first, asked, true])
    await read('?refresh=1')
    assert.ok(dns.questions.length > asked)
    await set('platform_domain', { server_ips: [] })
    assert.deepEqual(reasonsOf(await read()), { 'good.example.com': ['no_expected_ip'] })
    await set('platform_domain', { server_ips: ['192.0.2.1', '2001:db8::1'] })
  })

  it('tells whether an authority may issue, and tries a name below a wildcard', async () => {
    await set('platform_domain', { tenant_domain_suffix: 'tenants.example.com' })
    await set('platform_ssl', {
      ssl_mode: 'acme_dns01',
      ssl_email: 'ops@example.com',
      ssl_dns_provider: 'cloudflare',
      ssl_wildcard: true,
      ssl_domains: ['closed.example.net', 'open.example.org'],
    })
    const answer = await read()
    assert.deepEqual(reasonsOf(answer), {
      'closed.example.net': ['caa_forbids'],
      'open.example.org': ['acme_conflict'],
      '*.tenants.example.com': [],
    })
    const [closed, open, wild] = answer['domains'] as unknown as readonly Body[]
    assert.deepEqual(
      [closed?.['caa'], open?.['acme_challenge'], wild?.['wildcard']?.['ok']],
      [{ ok: false, found: ['issue other-ca.test'] }, { ok: false, conflict: 'elsewhere.test' }, true],
    )
    assert.match(wild?.['wildcard']?.['tested'] as unknown as string, /^[0-9a-f]{8}\.tenants\.example\.com$/)
  })

  it('waits three seconds for a name server that says nothing', async () => {
    await set('platform_ssl', { reset: ['ssl_mode', 'ssl_wildcard', 'ssl_email', 'ssl_dns_provider'] })
    await set('platform_ssl', { ssl_domains: ['silent.example.com'] })
    const started = performance.now()
    assert.deepEqual(reasonsOf(await read()), { 'silent.example.com': ['dns_failed'] })
    const taken = performance.now() - started
    assert.ok(taken > 2000 && taken < 5000, String(taken))
  })

  it('is for the platform alone', async () => {
    const asks = async (at: string, token: string): Promise<unknown> => (await host.api.get(at, { token })).body['code']
    assert.deepEqual(
      [
        await asks('/configs/platform-ssl/dns-readiness', owner),
        await asks(path, platformToken('platform_config:update')),
        await asks('/configs/platform-ssl/dns-readiness', platformToken('platform_config:detail')),
        (await host.api.get(`${path}?refresh=yes`, { token: admin })).status,
      ],
      [4033, 4031, 0, 422],
    )
  })
})
