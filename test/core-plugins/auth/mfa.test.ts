import assert from 'node:assert/strict'
import { userDirectory } from '../../../core-plugins/users/contract.ts'
import { codeOf, configure, readToken, reasonOf } from '../../support/auth.ts'
import type { Answer, Api } from '../../support/api.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { enrolFactor, factorTokenOf, type TestFactor } from '../../support/second-factor.ts'

describe('a sign-in with a second factor', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  // Each test from an address of its own, or they would use up each other's limit.
  let headers: Record<string, string> = {}
  let address = 0
  beforeEach(() => {
    address += 1
    headers = { 'x-forwarded-for': `198.51.100.${address}` }
  })
  after(() => platform[Symbol.asyncDispose]())

  const login = (email: string) =>
    platform.test.api.post('/auth/login/json', { email, password: testPassword, tenant_code: 'acme' }, { headers })
  const verify = (mfa_token: string, code: string, method = 'totp', path = '/auth'): Promise<Answer> =>
    platform.test.api.post(`${path}/mfa/verify`, { mfa_token, method, code }, { headers })
  async function enrolled(name: string): Promise<{ email: string; id: number; api: Api; factor: TestFactor }> {
    const email = `${name}@acme.test`
    const user = await platform.createUser(acme, email, ['tenant_user'])
    return { email, ...user, factor: await enrolFactor(user.api) }
  }

  it('stops after the password and ends with the code, and the token tells both', async () => {
    const { email, factor } = await enrolled('ann')
    const stopped = await login(email)
    const { mfa_token: token, ...details } = stopped.body['details'] ?? {}
    const done = await verify(token as unknown as string, factor.code(0))
    const claims = readToken(done.body['data']?.['access_token'] as unknown as string)[1]
    const session = await platform.test.api.as(done.body['data']?.['access_token']).get('/auth/me')
    assert.deepEqual(
      [codeOf(stopped), details, codeOf(done), claims['amr'], done.body['data']?.['tenant'], codeOf(session)],
      [
        [401, 4017],
        { methods: ['totp', 'recovery_code'], expires_in: 300 },
        [200, 0],
        ['pwd', 'otp', 'mfa'],
        { id: acme.id, code: 'acme', name: 'acme' },
        [200, 0],
      ],
    )
  })

  it('as OAuth 2’s form stops there too', async () => {
    const { email } = await enrolled('form')
    const body = new URLSearchParams({ username: email, password: testPassword, tenant_code: 'acme' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await platform.test.api.post('/auth/login', body, { headers })
    assert.deepEqual([codeOf(answer), answer.body['error']], [[400, 4017], 'invalid_grant'])
  })

  it('uses token and code up', async () => {
    const { email, factor } = await enrolled('once')
    const [first, second] = [factorTokenOf(await login(email)), factorTokenOf(await login(email))]
    const code = factor.code(0)
    const answers = [await verify(first, code), await verify(first, factor.code(1)), await verify(second, code)]
    assert.deepEqual(answers.map(codeOf), [
      [200, 0],
      [400, 4006],
      [400, 4006],
    ])
  })

  it('gives one session for one token, however often it comes at once', async () => {
    const { email, factor } = await enrolled('race')
    const token = factorTokenOf(await login(email))
    const answers = await Promise.all(
      factor.recoveryCodes.slice(0, 5).map((code) => verify(token, code, 'recovery_code')),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('takes each recovery code once', async () => {
    const { email, factor } = await enrolled('lost')
    const [code = ''] = factor.recoveryCodes
    const first = await verify(factorTokenOf(await login(email)), code, 'recovery_code')
    const second = await verify(factorTokenOf(await login(email)), code, 'recovery_code')
    assert.deepEqual(
      [codeOf(first), codeOf(second)],
      [
        [200, 0],
        [400, 4006],
      ],
    )
  })

  it('takes five wrong codes for a token and not one more, also at the same time', async () => {
    const { email, factor } = await enrolled('guess')
    const token = factorTokenOf(await login(email))
    await Promise.all(Array.from({ length: 20 }, (_, guess) => verify(token, String(guess).padStart(6, '0'))))
    const { knex } = platform.test.kernel.database
    // So that the lock after wrong codes is not what refuses.
    await knex('auth_login_failures').delete().queryContext({ tenant: acme.id })
    const right = await verify(token, factor.code(0))
    const fresh = await verify(factorTokenOf(await login(email)), factor.code(0))
    assert.deepEqual(
      [codeOf(right), codeOf(fresh)],
      [
        [400, 4006],
        [200, 0],
      ],
    )
  })

  it('locks after as many wrong codes as wrong passwords, whatever tokens they came with', async () => {
    const { email, factor } = await enrolled('locked')
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      codes.push((await verify(factorTokenOf(await login(email)), '000000')).body['code'])
    }
    const right = await verify(factorTokenOf(await login(email)), factor.code(0))
    assert.deepEqual(
      [codes, codeOf(right)],
      [
        [4006, 4006, 4006, 4006, 4006, 4292],
        [429, 4292],
      ],
    )
  })

  it('locks for every network after a hundred wrong codes from anywhere', async () => {
    const { email, factor } = await enrolled('everywhere')
    const wrong = await verify(factorTokenOf(await login(email)), '000000')
    await platform.test.kernel.database
      .knex('auth_login_failures')
      .update({ failures: 100 })
      .queryContext({ tenant: acme.id })
    headers = { 'x-forwarded-for': '203.0.113.1' }
    const right = await verify(factorTokenOf(await login(email)), factor.code(0))
    await platform.test.kernel.database.knex('auth_login_failures').delete().queryContext({ tenant: acme.id })
    assert.deepEqual(
      [codeOf(wrong), codeOf(right)],
      [
        [400, 4006],
        [429, 4292],
      ],
    )
  })

  it('is over when the password was changed meanwhile, and for tokens that are made up or another door’s', async () => {
    const { email, id, factor } = await enrolled('stale')
    const made = factorTokenOf(await login(email))
    const answers = [await verify(made, factor.code(0), 'totp', '/admin/auth'), await verify('mfa_made_up', '000000')]
    await platform.test.kernel.services.get(userDirectory).setPassword(acme.id, id, 'another long passphrase')
    answers.push(await verify(made, factor.code(1)))
    assert.deepEqual(answers.map(codeOf), Array(3).fill([400, 4006]))
  })

  it('ends where the user allows it alone, and only while the tenant is open', async () => {
    const { email, id, factor } = await enrolled('bounded')
    const { knex } = platform.test.kernel.database
    const allowedIps = [headers['x-forwarded-for']]
    await knex('users')
      .where({ id })
      .update({ login_security: JSON.stringify({ allowedIps }) })
      .queryContext({ tenant: acme.id })
    const token = factorTokenOf(await login(email))
    headers = { 'x-forwarded-for': '203.0.113.2' }
    const far = await verify(token, factor.code(0))
    headers = { 'x-forwarded-for': String(allowedIps[0]) }
    const other = factorTokenOf(await login(email))
    const set = (status: string) => platform.admin.put(`/admin/tenants/${acme.id}`, { status })
    await set('disabled')
    const shut = await verify(other, factor.code(1))
    await set('active')
    assert.deepEqual(
      [reasonOf(far), codeOf(shut)],
      [
        [403, 4030, 'ip_not_allowed'],
        [403, 4035],
      ],
    )
  })

  it('works at every door', async () => {
    const { email, factor } = await enrolled('doors')
    const body = { email, password: testPassword, tenant_code: 'acme' }
    const token = factorTokenOf(await platform.test.api.post('/tenant/auth/login', body))
    const tenant = await verify(token, factor.code(0), 'totp', '/tenant/auth')
    const admin = await enrolFactor(platform.admin, 'admin')
    const credentials = { email: 'admin@stoa.test', password: testPassword }
    const stopped = await platform.test.api.post('/admin/auth/login/json', credentials)
    const staff = await verify(factorTokenOf(stopped), admin.code(0), 'totp', '/admin/auth')
    assert.deepEqual([codeOf(tenant), codeOf(staff), staff.body['data']?.['tenant']], [[200, 0], [200, 0], null])
  })
})

describe('a tenant that requires a second factor', () => {
  it('lets users without one do nothing but enrol', async () => {
    await using platform = await startTestPlatform()
    const acme = await platform.createTenant('acme')
    const { id } = await platform.createUser(acme, 'ann@acme.test', ['tenant_user', 'tenant_admin'])
    await configure(acme.owner, 'tenant', 'tenant_security', { mfa_required: true })
    const ann = await platform.signIn(acme.id, id)
    const refused = [
      await ann.get('/tenant/users'),
      await ann.get('/auth/sessions'),
      await ann.get('/permissions/menus'),
    ]
    const open = await ann.get('/auth/me')
    await enrolFactor(ann)
    assert.deepEqual(
      [refused.map(codeOf), refused[0]?.body['details'], codeOf(open), codeOf(await ann.get('/tenant/users'))],
      [Array(3).fill([403, 4037]), { cause: 'second_factor_required' }, [200, 0], [200, 0]],
    )
  })
})
