import assert from 'node:assert/strict'
import { codeOf, configure, reasonOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const stranger = { 'x-forwarded-for': '198.51.100.66' }

describe('an attacker who lies about where a request comes from', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    await configure(platform.admin, 'admin', 'platform_captcha', { login_captcha_enabled: false })
    await configure(platform.admin, 'admin', 'tenant_captcha', { captcha_enabled: false })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is locked out behind our proxy, whatever address the body names', async () => {
    const tries: unknown[] = []
    for (let at = 0; at < 7; at += 1) {
      const body = { account: 'owner@acme.test', password: 'wrong', tenant_code: 'acme', client_ip: `203.0.113.${at}` }
      tries.push((await platform.test.api.post('/auth/login/json', body, { headers: stranger })).body['code'])
    }
    assert.deepEqual(tries, [4011, 4011, 4011, 4011, 4011, 4292, 4292])
  })

  it('does not name an address that a user has allowed', async () => {
    await platform.createUser(acme, 'home@acme.test', ['tenant_user'])
    await platform.test.kernel.database
      .knex('users')
      .where('email', 'home@acme.test')
      .update({ login_security: JSON.stringify({ allowedIps: ['192.0.2.0/24'] }) })
      .queryContext({ tenant: acme.id })
    const body = { account: 'home@acme.test', password: testPassword, tenant_code: 'acme', client_ip: '192.0.2.9' }
    const far = await platform.test.api.post('/auth/login/json', body, { headers: stranger })
    // Our own front end speaks for its caller, and says so without a proxy between.
    const near = await platform.test.api.post('/auth/login/json', body)
    assert.deepEqual(
      [reasonOf(far), codeOf(near)],
      [
        [403, 4030, 'ip_not_allowed'],
        [200, 0],
      ],
    )
  })

  it('does not take an administrator’s work in a tenant to where the administrator may not be', async () => {
    const path = `/admin/tenants/${acme.id}/impersonate`
    const begun = await platform.admin.post(path, {})
    const acting = platform.test.api.as(begun.body['data']?.['access_token'])
    await configure(platform.admin, 'admin', 'platform_security', { admin_ip_allowlist: ['127.0.0.1'] })
    const [near, far] = [await acting.get('/auth/me'), await acting.get('/auth/me', { headers: stranger })]
    const owner = await acme.owner.get('/auth/me', { headers: stranger })
    assert.deepEqual([near.status, reasonOf(far), owner.status], [200, [403, 4030, 'ip_not_allowed'], 200])
  })
})
