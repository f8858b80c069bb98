import assert from 'node:assert/strict'
import type { Answer, Body } from '../support/api.ts'
import { userDirectory } from '../../core-plugins/users/contract.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../support/identity.ts'

const codeOf = ({ status, body }: Answer): unknown => [status, body['code']]
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('sign-in', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('as OAuth 2’s form answers what RFC 6749 says, unwrapped', async () => {
    const { status, headers, body } = await platform.test.api.post(
      '/auth/login',
      new URLSearchParams({
        grant_type: 'password',
        username: 'OWNER@acme.test',
        password: testPassword,
        client_id: 'x',
      }).toString(),
      { headers: form, host: acme.host },
    )
    const { access_token: token, refresh_token: refresh, session_id: sid, ...rest } = body as Record<string, unknown>
    assert.deepEqual(
      [status, headers['cache-control'], headers['pragma'], [token, refresh, sid].map((text) => typeof text), rest],
      [
        200,
        'no-store',
        'no-cache',
        ['string', 'string', 'string'],
        { token_type: 'Bearer', expires_in: 900, scope: 'tenant', refresh_expires_in: 604_800 },
      ],
    )
  })

  it('as a form that fails answers the members of RFC 6749 beside our own', async () => {
    const body = new URLSearchParams({ username: 'owner@acme.test', password: 'wrong', tenant_code: 'acme' }).toString()
    const answer = await platform.test.api.post('/auth/login', body, { headers: form })
    assert.deepEqual(
      [answer.status, answer.body['code'], answer.body['reason'], typeof answer.body['error']],
      [401, 4011, 'invalid_credentials', 'string'],
    )
  })

  it('as a form of another grant is told so as RFC 6749 has it', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', username: 'x', password: 'x' }).toString()
    const answer = await platform.test.api.post('/auth/login', body, { headers: form })
    assert.deepEqual([codeOf(answer), answer.body['error']], [[422, 4220], 'unsupported_grant_type'])
  })

  it('as JSON answers tokens, the user and the tenant', async () => {
    const answer = await platform.test.api.post('/auth/login/json', {
      email: 'owner@acme.test',
      password: testPassword,
      tenant_code: 'acme',
      device_name: 'Laptop',
    })
    const data = answer.body['data'] as unknown as Record<string, Body>
    const { access_token: token, refresh_token: refresh, session_id: sid, user, ...rest } = data
    const me = await platform.test.api.as(token).get('/auth/me')
    const sessions = await platform.test.api.as(token).get('/auth/sessions')
    const current = (sessions.body['data']?.['items'] as unknown as Body[]).find((session) => session['current'])
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: 604_800,
      roles: ['tenant_owner'],
      tenant: { id: acme.id, code: 'acme', name: 'acme' },
      password_change_required: false,
    })
    assert.deepEqual(
      [
        answer.status,
        me.body['data']?.['user'],
        me.body['data']?.['data_scope'],
        current?.['device_name'],
        current?.['id'],
      ],
      [200, user, 'ALL', 'Laptop', sid],
    )
    assert.match(refresh as unknown as string, /^rt_[\w-]{70}$/)
  })

  it('names the client’s address for a trusted proxy only', async () => {
    const credentials = { email: 'owner@acme.test', password: testPassword, tenant_code: 'acme' }
    const seen = async (client_ip: string) => {
      const { body } = await platform.test.api.post('/auth/login/json', { ...credentials, client_ip })
      const sessions = await platform.test.api.as(body['data']?.['access_token']).get('/auth/sessions')
      const items = sessions.body['data']?.['items'] as unknown as Body[]
      return items.find(({ current }) => current)?.['ip']
    }
    const untrusted = await seen('203.0.113.9')
    const trust = (trusted_proxies: readonly string[]) =>
      platform.admin.put('/admin/configs/groups/platform_domain', { trusted_proxies })
    await trust(['127.0.0.1'])
    const trusted = [await seen('203.0.113.9'), await seen('elsewhere')]
    await trust([])
    assert.deepEqual([untrusted, ...trusted], ['127.0.0.1', '203.0.113.9', '127.0.0.1'])
  })

  it('to the platform has a door of its own', async () => {
    const credentials = { email: 'admin@stoa.test', password: testPassword }
    const answers = [
      await platform.test.api.post('/admin/auth/login/json', credentials),
      await platform.test.api.post('/auth/login/json', { ...credentials, tenant_code: 'acme' }),
      await platform.test.api.post('/admin/auth/login/json', { email: 'owner@acme.test', password: testPassword }),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [200, 0],
      [401, 4011],
      [401, 4011],
    ])
  })

  it('of a disabled user tells so only to who knows the password', async () => {
    const user = await platform.createUser(acme, 'off@acme.test', ['tenant_user'])
    await acme.owner.put(`/tenant/users/${user.id}`, { status: 'disabled' })
    const login = (password: string) =>
      platform.test.api.post('/tenant/auth/login', { account: 'off@acme.test', password }, { host: acme.host })
    const right = await login(testPassword)
    assert.deepEqual(
      [codeOf(await login('wrong')), codeOf(right), right.body['details']],
      [[401, 4011], [403, 4034], { status: 'disabled' }],
    )
  })

  it('lets a token of the wrong scope nowhere', async () => {
    const answers = [
      await acme.owner.get('/admin/auth/me'),
      await platform.admin.get('/tenant/auth/me'),
      await platform.admin.get('/auth/me'),
      await platform.test.api.get('/auth/me'),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [403, 4033],
      [403, 4033],
      [200, 0],
      [401, 4010],
    ])
  })
})

describe('a forgotten password', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
    await platform.createTenant('acme')
    await platform.createTenant('other')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('locks an account that exists and one that does not alike, and no other', async () => {
    const login = (account: string, password: string, tenant_code: string) =>
      platform.test.api.post('/tenant/auth/login', { account, password, tenant_code })
    const outcomes = async (account: string) => {
      const codes: unknown[] = []
      for (let attempt = 0; attempt < 7; attempt += 1) {
        const { body, headers } = await login(account, 'wrong password', 'acme')
        codes.push(body['code'])
        if ((body['code'] as unknown as number) === 4292) {
          assert.equal(Number(headers['retry-after']), body['details']?.['retry_after'])
        }
      }
      return codes
    }
    const expected = [4011, 4011, 4011, 4011, 4011, 4292, 4292]
    assert.deepEqual([await outcomes('owner@acme.test'), await outcomes('nobody@acme.test')], [expected, expected])
    assert.deepEqual(
      [
        codeOf(await login('owner@acme.test', testPassword, 'acme')),
        codeOf(await login('owner@other.test', testPassword, 'other')),
      ],
      [
        [429, 4292],
        [200, 0],
      ],
    )
  })

  it('counts anew when the lock is over', async () => {
    const acme = await platform.createTenant('patient')
    const login = async () => {
      const body = { account: 'owner@patient.test', password: 'wrong password', tenant_code: acme.code }
      return (await platform.test.api.post('/tenant/auth/login', body)).body['code']
    }
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) codes.push(await login())
    await platform.test.kernel.database
      .knex('auth_login_failures')
      .update({ locked_until: new Date(Date.now() - 1000) })
      .queryContext({ tenant: acme.id })
    codes.push(await login(), await login())
    assert.deepEqual(codes, [4011, 4011, 4011, 4011, 4011, 4292, 4011, 4011])
  })

  it('is limited to ten tries a minute for an account and an address', async () => {
    const codes = new Set<unknown>()
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const body = { account: 'owner@other.test', password: testPassword, tenant_code: 'other' }
      codes.add((await platform.test.api.post('/tenant/auth/login', body)).body['code'])
    }
    assert.deepEqual([...codes], [0, 4291])
  })
})

describe('the own password', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is changed by who knows the old one; every other session ends and a new one begins', async () => {
    const user = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const elsewhere = await platform.signIn(acme.id, user.id)
    const fresh = 'another long passphrase'
    const change = (old_password: string, new_password: string) =>
      user.api.put('/auth/password', { old_password, new_password })
    const refused = [
      await change('wrong', fresh),
      await change(testPassword, testPassword),
      await change(testPassword, '12345678'),
    ]
    const changed = await change(testPassword, fresh)
    const after = await elsewhere.get('/auth/me')
    const now = await platform.test.api.as(changed.body['data']?.['access_token']).get('/auth/me')
    const login = (password: string) =>
      platform.test.api.post('/tenant/auth/login', { email: 'ann@acme.test', password, tenant_code: 'acme' })
    assert.deepEqual(refused.map(codeOf), [
      [400, 4007],
      [400, 4007],
      [422, 4223],
    ])
    assert.deepEqual(
      [
        codeOf(changed),
        codeOf(after),
        after.body['details'],
        codeOf(now),
        codeOf(await login(testPassword)),
        codeOf(await login(fresh)),
      ],
      [[200, 0], [401, 4014], { cause: 'password_changed' }, [200, 0], [401, 4011], [200, 0]],
    )
  })

  it('begins no session when it was changed while it was compared', async () => {
    const user = await platform.createUser(acme, 'bob@acme.test', ['tenant_user'])
    const users = platform.test.kernel.services.get(userDirectory)
    const compare = users.verifyPassword.bind(users)
    const fresh = 'a passphrase of another kind'
    const slow = async (...given: Parameters<typeof compare>) => {
      const compared = await compare(...given)
      await users.setPassword(acme.id, user.id, fresh)
      return compared
    }
    Object.assign(users, { verifyPassword: slow })
    const credentials = { email: 'bob@acme.test', password: testPassword, tenant_code: 'acme' }
    const answer = await platform.test.api.post('/tenant/auth/login', credentials)
    Object.assign(users, { verifyPassword: compare })
    assert.deepEqual(codeOf(answer), [401, 4011])
  })

  it('is reset on the tenant’s path the same way', async () => {
    const body = { old_password: testPassword, new_password: 'yet another passphrase' }
    const changed = await acme.owner.post('/tenant/auth/password/reset', body)
    assert.deepEqual([changed.status, (await acme.owner.get('/tenant/auth/me')).status], [200, 401])
  })
})

describe('the set-up', () => {
  const admin = { email: 'first@stoa.test', password: testPassword }

  it('makes one administrator, once, with the site’s name', async () => {
    await using platform = await startTestPlatform()
    const again = await platform.test.api.post('/api/public/setup', { token: 'made up', ...admin })
    const basic = await platform.admin.get('/admin/auth/me')
    assert.deepEqual([codeOf(again), basic.body['data']?.['roles']], [[401, 4013], ['super_admin']])
  })

  it('is refused with a link that came too late, while the link stays good after a weak password', async () => {
    const { setup } = await import('../../core-plugins/auth/contract.ts')
    const { identityPlugins } = await import('../support/identity.ts')
    const { startTestKernel } = await import('../support/kernel.ts')
    await using test = await startTestKernel({ plugins: identityPlugins })
    const service = test.kernel.services.get(setup)
    const first = await service.createSetupLink()
    const second = await service.createSetupLink()
    const use = (token: string, body: object) => test.api.post('/api/public/setup', { token, ...admin, ...body })
    const answers = [
      await use(first.token, {}),
      await use(second.token, { password: 'short' }),
      await use(second.token, { site_name: 'Acropolis', locale: 'zh-CN', nickname: 'Pericles' }),
      await use(second.token, {}),
    ]
    const third = await service.createSetupLink()
    answers.push(await use(third.token, {}))
    const site = await test.api.get('/api/public/platform/config')
    assert.deepEqual(answers.map(codeOf), [
      [401, 4013],
      [422, 4223],
      [201, 0],
      [401, 4013],
      [409, 4094],
    ])
    assert.deepEqual([await service.isDone(), site.body['data']?.['site_name']], [true, 'Acropolis'])
    assert.equal(second.url.endsWith(`/console/setup?token=${second.token}`), true)
  })
})
