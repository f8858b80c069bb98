import assert from 'node:assert/strict'
import type { Body } from '../../support/api.ts'
import { codeOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

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
      [answer.status, answer.body['code'], answer.body['reason'], answer.body['error']],
      [400, 4011, 'invalid_credentials', 'invalid_grant'],
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
