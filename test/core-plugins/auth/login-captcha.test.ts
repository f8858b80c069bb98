import assert from 'node:assert/strict'
import { captchaProviders } from '../../../core-plugins/captcha/contract.ts'
import { codeOf, configure } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a captcha at sign-in', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let provider: Disposable
  let address = 0
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    provider = platform.test.kernel.services.get(captchaProviders).register({
      code: 'sum',
      plugin: null,
      oneTry: true,
      isOffered: () => Promise.resolve(true),
      challenge: () => Promise.resolve({ challenge: { type: 'sum', text: '20 + 22' }, secret: '42' }),
      verify: ({ secret, solution }) => Promise.resolve({ valid: secret === solution }),
    })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  after(async () => {
    provider[Symbol.dispose]()
    await platform[Symbol.asyncDispose]()
  })
  beforeEach(() => void (address += 1))

  const headers = () => ({ 'x-forwarded-for': `198.51.100.${address}` })
  const login = (account: string, password: string, more: object = {}, path = '/auth/login/json') =>
    platform.test.api.post(
      path,
      { account, password, ...(path.startsWith('/admin') ? {} : { tenant_code: 'acme' }), ...more },
      { headers: headers() },
    )
  async function fail(account: string, times: number, path?: string): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      assert.equal((await login(account, 'wrong password', {}, path)).body['code'], 4011)
    }
  }
  async function solve(endpoint: string, more: object = { tenant_code: 'acme' }): Promise<string> {
    const asked = { provider_code: 'sum', endpoint, action: 'login', ...more }
    const { body } = await platform.test.api.post('/api/public/captcha/challenge', asked, { headers: headers() })
    return body['data']?.['challenge_id'] as unknown as string
  }

  for (const [endpoint, path] of [
    ['user', '/auth/login/json'],
    ['tenant', '/tenant/auth/login'],
    ['admin', '/admin/auth/login/json'],
  ] as const) {
    it(`is asked of ${path} after three failures, and bound to it`, async () => {
      const account = endpoint === 'admin' ? 'admin@stoa.test' : 'owner@acme.test'
      const scope = endpoint === 'admin' ? {} : { tenant_code: 'acme' }
      await fail(account, 3, path)
      const asked = await login(account, testPassword, {}, path)
      const captcha = (challenge_id: string, solution: string) => ({
        captcha: { provider_code: 'sum', challenge_id, solution },
      })
      const wrong = await login(account, testPassword, captcha(await solve(endpoint, scope), '43'), path)
      const elsewhere = await solve(endpoint === 'user' ? 'tenant' : 'user')
      const other = await login(account, testPassword, captcha(elsewhere, '42'), path)
      const right = await login(account, testPassword, captcha(await solve(endpoint, scope), '42'), path)
      const { action, endpoint: named } = asked.body['details'] ?? {}
      assert.deepEqual(
        [codeOf(asked), action, named, codeOf(wrong), codeOf(other), codeOf(right)],
        [[400, 4004], 'login', endpoint, [400, 4005], [400, 4005], [200, 0]],
      )
    })
  }

  it('is the same for an account that nobody has', async () => {
    await fail('nobody@acme.test', 3)
    assert.deepEqual(codeOf(await login('nobody@acme.test', testPassword)), [400, 4004])
  })

  it('counts no failure of its own, and ends with the sign-in that works', async () => {
    const user = await platform.createUser(acme, 'patient@acme.test', ['tenant_user'])
    await fail('patient@acme.test', 3)
    for (let time = 0; time < 3; time += 1) await login('patient@acme.test', 'wrong password')
    const flat = { captcha_provider_code: 'sum', captcha_challenge_id: await solve('user'), captcha_solution: '42' }
    const right = await login('patient@acme.test', testPassword, flat)
    const next = await login('patient@acme.test', testPassword)
    assert.deepEqual([codeOf(right), codeOf(next), right.body['data']?.['user']?.['id']], [[200, 0], [200, 0], user.id])
  })

  it('comes flat in a form', async () => {
    await platform.createUser(acme, 'form@acme.test', ['tenant_user'])
    await fail('form@acme.test', 3)
    const post = (fields: Record<string, string>) =>
      platform.test.api.post(
        '/auth/login',
        new URLSearchParams({
          ...{ username: 'form@acme.test', password: testPassword, tenant_code: 'acme' },
          ...fields,
        }).toString(),
        { headers: { ...form, ...headers() } },
      )
    const asked = await post({ captcha_challenge_id: '' })
    const right = await post({
      ...{ captcha_provider_code: 'sum', captcha_solution: '42' },
      captcha_challenge_id: await solve('user'),
    })
    assert.deepEqual([codeOf(asked), right.status], [[400, 4004], 200])
  })

  it('is asked of everybody once an account is tried from everywhere, and a second is waited', async () => {
    const user = await platform.createUser(acme, 'spread@acme.test', ['tenant_user'])
    await fail('spread@acme.test', 1)
    const rows = platform.test.kernel.database.knex('auth_login_failures').queryContext({ tenant: acme.id })
    const known: unknown = await rows.clone().orderBy('last_failed_at', 'desc').first('account')
    await rows.insert(
      Array.from({ length: 50 }, (_, index) => ({
        tenant_id: acme.id,
        account: (known as { account: string }).account,
        network: `203.0.113.${index}`,
        failures: 1,
        last_failed_at: new Date(),
      })),
    )
    address += 100
    const began = Date.now()
    const asked = await login('spread@acme.test', testPassword)
    const waited = Date.now() - began
    const captcha = { captcha: { provider_code: 'sum', challenge_id: await solve('user'), solution: '42' } }
    const right = await login('spread@acme.test', testPassword, captcha)
    assert.deepEqual(
      [codeOf(asked), waited >= 990, codeOf(right), right.body['data']?.['user']?.['id']],
      [[400, 4004], true, [200, 0], user.id],
    )
  })
})
