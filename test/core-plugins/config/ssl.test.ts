import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Answer } from '../../support/api.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { admin, dump, errorsOf, plugins } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'

const domains = ['stoa.example.com', 'www.example.com']
const root = makeCertificate({ name: 'Root', isAuthority: true })
const middle = makeCertificate({ name: 'Middle', isAuthority: true, issuer: root })
const leaf = makeCertificate({
  name: 'Leaf',
  domains: [...domains, '*.tenants.example.com'],
  issuer: middle,
  kind: 'p256',
})

describe('the platform’s HTTPS settings', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins })
    const values = { platform_domains: domains, tenant_domain_suffix: 'tenants.example.com' }
    await host.api.put('/admin/configs/groups/platform_domain', values, { token: admin })
  })
  after(() => host[Symbol.asyncDispose]())

  const url = '/admin/configs/groups/platform_ssl'
  const put = (body: unknown): Promise<Answer> => host.api.put(url, body, { token: admin })
  const manual = (certificate: string, key: string): unknown => ({
    ssl_mode: 'manual',
    ssl_certificate: certificate,
    ssl_private_key: key,
  })
  const faultsOf = async (body: unknown): Promise<unknown> => {
    const before = await dump(host)
    const answer = await put(body)
    if (answer.status === 200) return (await put({ reset: Object.keys(body as object) })).status === 200 && []
    assert.deepEqual(await dump(host), before)
    const [status, code, faults] = errorsOf(answer) as [number, number, unknown]
    assert.deepEqual([status, code], [422, 4222])
    return faults
  }

  it('take a chain that leads from the site’s own certificate upwards and covers every domain', async () => {
    const chain = leaf.certificate + middle.certificate + root.certificate
    const settings = { ...(manual(chain, leaf.key) as object), ssl_enabled: true, ssl_wildcard: true }
    const answer = await put({ ...settings, ssl_force_redirect: true })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const shown = await host.api.get(url, { token: admin })
    const { not_after: end, ...validation } = shown.body['data']?.['validation'] ?? {}
    assert.deepEqual(validation, {
      ok: true,
      issuer: 'CN=Middle',
      subject_alt_names: [...domains, '*.tenants.example.com'],
      warnings: [],
    })
    assert.ok(Date.parse(end as unknown as string) > Date.now() + 88 * 86_400_000)
    assert.ok(!JSON.stringify(shown.body).includes(leaf.key.slice(100, 140)))
    assert.equal((await put({ ssl_private_key: '********', ssl_auto_renew: false })).status, 200)
    assert.deepEqual(errorsOf(await put({ ssl_private_key: root.key, ssl_auto_renew: true })), [
      422,
      4222,
      ['ssl_private_key key_mismatch'],
    ])
    assert.equal((await put({ ssl_enabled: false, ssl_mode: 'off', ssl_force_redirect: false })).status, 200)
    await put({ reset: ['ssl_certificate', 'ssl_private_key', 'ssl_wildcard', 'ssl_auto_renew'] })
  })

  it('take each kind of strong key and no weak one', async () => {
    const outcome = async (kind: Parameters<typeof makeCertificate>[0]['kind'] & string): Promise<unknown> => {
      const { certificate, key } = makeCertificate({ name: kind, domains, kind })
      return faultsOf(manual(certificate, key))
    }
    assert.deepEqual([await outcome('ed25519'), await outcome('p256'), await outcome('rsa2048')], [[], [], []])
    for (const kind of ['rsa1024', 'secp256k1'] as const) {
      assert.deepEqual(await outcome(kind), ['ssl_certificate weak_key'])
    }
  })

  it('refuse what is no chain, in the wrong order, out of its time, or of another key', async () => {
    const early = makeCertificate({ name: 'Early', domains, from: 1 })
    const late = makeCertificate({ name: 'Late', domains, from: -9, to: -1 })
    const other = makeCertificate({ name: 'Middle', isAuthority: true })
    const cases: readonly (readonly [certificate: string, key: string, faults: readonly string[]])[] = [
      ['', '', ['ssl_certificate certificate_required', 'ssl_private_key private_key_required']],
      ['hello', leaf.key, ['ssl_certificate not_pem']],
      [`${leaf.certificate}hello`, leaf.key, ['ssl_certificate not_pem']],
      [leaf.certificate.replace('MII', 'AAA'), leaf.key, ['ssl_certificate not_pem']],
      [leaf.certificate + leaf.key, leaf.key, ['ssl_certificate holds_private_key']],
      [
        middle.certificate + leaf.certificate,
        middle.key,
        ['ssl_certificate leaf_not_first', ...domains.map(() => 'ssl_certificate domain_not_covered')],
      ],
      [leaf.certificate + root.certificate, leaf.key, ['ssl_certificate chain_broken']],
      [leaf.certificate + other.certificate, leaf.key, ['ssl_certificate chain_broken']],
      [early.certificate, early.key, ['ssl_certificate not_valid_yet']],
      [late.certificate, late.key, ['ssl_certificate expired']],
      [leaf.certificate, 'hello', ['ssl_private_key not_a_key']],
      [leaf.certificate, root.key, ['ssl_private_key key_mismatch']],
    ]
    for (const [certificate, key, faults] of cases) {
      assert.deepEqual(await faultsOf(manual(certificate, key)), faults, certificate.slice(0, 100))
    }
  })

  it('want every domain named, and the tenants’ where they are wanted', async () => {
    const { certificate, key } = makeCertificate({ name: 'One', domains: ['stoa.example.com', '*.example.org'] })
    const one = manual(certificate, key) as object
    assert.deepEqual(await faultsOf(one), ['ssl_certificate domain_not_covered'])
    assert.deepEqual(await faultsOf({ ...one, ssl_domains: ['STOA.example.com', 'a.example.org'] }), [])
    assert.deepEqual(await faultsOf({ ...one, ssl_domains: ['stoa.example.com', 'a.b.example.org', 'example.org'] }), [
      'ssl_certificate domain_not_covered',
      'ssl_certificate domain_not_covered',
    ])
    assert.deepEqual(await faultsOf({ ...one, ssl_domains: ['stoa.example.com'], ssl_wildcard: true }), [
      'ssl_certificate domain_not_covered',
    ])
  })

  it('want of ACME an address, public domains, and DNS for wildcards', async () => {
    const http = { ssl_mode: 'acme_http01', ssl_email: 'ops@example.com', ssl_domains: ['a.example.com'] }
    assert.deepEqual(await faultsOf(http), [])
    assert.deepEqual(await faultsOf({ ...http, ssl_email: '', ssl_domains: ['localhost', '10.0.0.1'] }), [
      'ssl_email email_required',
      'ssl_domains domain_not_public',
      'ssl_domains domain_not_public',
    ])
    assert.deepEqual(await faultsOf({ ...http, ssl_wildcard: true }), ['ssl_wildcard wildcard_needs_dns'])
    const dns = { ...http, ssl_mode: 'acme_dns01', ssl_wildcard: true }
    assert.deepEqual(await faultsOf(dns), ['ssl_dns_provider dns_provider_required'])
    assert.deepEqual(await faultsOf({ ...dns, ssl_dns_provider: 'cloudflare' }), [])
  })

  it('cannot be on without certificates, nor redirect while off; all faults come at once, in the caller’s language', async () => {
    assert.deepEqual(await faultsOf({ ssl_enabled: true }), ['ssl_mode mode_off'])
    assert.deepEqual(await faultsOf({ ssl_force_redirect: true }), ['ssl_force_redirect needs_ssl'])
    const body = { ssl_enabled: true, ssl_email: 'nobody', ssl_wildcard: 'x' }
    const answer = await host.api.put(url, body, { token: admin, headers: { 'accept-language': 'zh-CN' } })
    assert.deepEqual(errorsOf(answer), [422, 4222, ['ssl_email pattern', 'ssl_wildcard type', 'ssl_mode mode_off']])
    assert.equal(answer.body['errors']?.['2']?.['message'], '请选择证书来源')
  })

  it('warn two weeks before the end', async () => {
    const { certificate, key } = makeCertificate({ name: 'Soon', domains, to: 10 })
    await put(manual(certificate, key))
    const { body } = await host.api.get(url, { token: admin })
    const { ok, warnings } = body['data']?.['validation'] ?? {}
    assert.deepEqual([ok, warnings?.['0']?.['reason'], warnings?.['1']], [true, 'expires_soon', undefined])
  })
})
