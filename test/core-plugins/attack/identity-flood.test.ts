import assert from 'node:assert/strict'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('an attacker who fills tables', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    await configure(platform.admin, 'admin', 'tenant_captcha', { captcha_enabled: false })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('does not make sign-ins slower by failing from a great many networks', async () => {
    const login = async (account: string): Promise<number> => {
      const begun = performance.now()
      const body = { account, password: 'wrong password', tenant_code: 'acme' }
      const answer = await platform.test.api.post('/auth/login/json', body)
      assert.equal(answer.status, 401)
      return performance.now() - begun
    }
    await login('owner@acme.test')
    const { knex } = platform.test.kernel.database
    await knex
      .raw(
        `insert into auth_login_failures (tenant_id, account, network, failures, last_failed_at)
         select tenant_id, account, 'net' || place, 1, now() from auth_login_failures, generate_series(1, 200000) place`,
      )
      .queryContext({ tenant: acme.id })
    const flooded = [await login('owner@acme.test'), await login('owner@acme.test'), await login('owner@acme.test')]
    // The second that everybody waits whose account is tried from everywhere, and what it takes to add the rows up.
    assert.ok(Math.min(...flooded) < 1000 + 1000, `${flooded.join(', ')} ms`)
  })
})
