import assert from 'node:assert/strict'
import { userDirectory } from '../../../core-plugins/users/contract.ts'
import type { CallOptions } from '../../support/api.ts'
import { codeOf, configure, issueSession, reasonOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('a sign-in that is refused for now', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const login = (account: string, more: object = {}) =>
    platform.test.api.post('/auth/login/json', { account, password: testPassword, tenant_code: 'acme', ...more })

  it('during maintenance tells tenants to wait, at every door, while the platform’s staff get in', async () => {
    const { refresh } = await issueSession(platform, acme.id, acme.ownerId)
    assert.equal((await acme.owner.get('/auth/me')).status, 200)
    const maintain = (maintenance_mode: boolean) =>
      configure(platform.admin, 'admin', 'platform_maintenance', {
        maintenance_mode,
        maintenance_message: 'Back at ten',
      })
    await maintain(true)
    const refused = [
      await login('owner@acme.test'),
      await platform.test.api.post('/auth/refresh', { refresh_token: refresh }),
      await acme.owner.get('/auth/me'),
    ]
    const staff = await platform.test.api.post('/admin/auth/login/json', {
      email: 'admin@stoa.test',
      password: testPassword,
    })
    await maintain(false)
    const open = [await acme.owner.get('/auth/me'), await login('owner@acme.test')]
    assert.deepEqual(
      refused.map(({ status, body, headers }) => [status, body['code'], body['details'], headers['retry-after']]),
      Array(3).fill([503, 5031, { message: 'Back at ten', retry_after: 300 }, '300']),
    )
    assert.deepEqual([staff.status, ...open.map(({ status }) => status)], [200, 200, 200])
  })

  it('of a tenant that is disabled ends its sessions’ use at once, and begins again with it', async () => {
    const other = await platform.createTenant('other')
    const { refresh } = await issueSession(platform, other.id, other.ownerId)
    const set = (status: string) => platform.admin.put(`/admin/tenants/${other.id}`, { status })
    await set('disabled')
    const credentials = { email: 'owner@other.test', password: testPassword, tenant_code: 'other' }
    const attempts = async () => [
      await platform.test.api.post('/auth/login/json', credentials),
      await platform.test.api.post('/auth/refresh', { refresh_token: refresh }),
      await other.owner.get('/auth/me'),
    ]
    const refused = await attempts()
    await set('active')
    assert.deepEqual(
      [refused.map(reasonOf), (await attempts()).map(({ status }) => status)],
      [Array(3).fill([403, 4035, 'tenant_inactive']), [200, 200, 200]],
    )
  })

  it('from an address that the user has not allowed says so after the right password only', async () => {
    await platform.createUser(acme, 'home@acme.test', ['tenant_user'])
    await platform.test.kernel.database
      .knex('users')
      .where('email', 'home@acme.test')
      .update({ login_security: JSON.stringify({ allowedIps: ['192.0.2.0/24'] }) })
      .queryContext({ tenant: acme.id })
    const wrong = await login('home@acme.test', { password: 'wrong password' })
    assert.deepEqual(
      [codeOf(wrong), reasonOf(await login('home@acme.test'))],
      [
        [401, 4011],
        [403, 4030, 'ip_not_allowed'],
      ],
    )
  })

  it('of the platform comes from an address it allows, and so does every request', async () => {
    const far = { headers: { 'x-forwarded-for': '198.51.100.7' } }
    const me = (options?: CallOptions) => platform.admin.get('/admin/auth/me', options)
    const staff = { email: 'admin@stoa.test', password: testPassword }
    const { refresh } = await issueSession(platform, 0, platform.adminId)
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    assert.equal((await me(far)).status, 200)
    await configure(platform.admin, 'admin', 'platform_security', { admin_ip_allowlist: ['127.0.0.0/8'] })
    const allowed = [await me(), await platform.test.api.post('/admin/auth/login/json', staff)]
    const refused = [await me(far), await platform.test.api.post('/admin/auth/login/json', staff, far)]
    refused.push(await platform.test.api.post('/admin/auth/refresh', { refresh_token: refresh }, far))
    const tenants = await acme.owner.get('/auth/me', far)
    assert.deepEqual(
      [allowed.map(({ status }) => status), refused.map(reasonOf), tenants.status],
      [[200, 200], Array(3).fill([403, 4030, 'ip_not_allowed']), 200],
    )
  })

  it('is no list of addresses that shuts its writer out, or that holds what is none', async () => {
    const write = async (list: readonly string[]) => {
      const answer = await platform.admin.put('/admin/configs/groups/platform_security', { admin_ip_allowlist: list })
      const errors = (answer.body['errors'] ?? []) as unknown as readonly { field: string; rule: string }[]
      return [answer.status, errors.map(({ field, rule }) => [field, rule])]
    }
    assert.deepEqual(
      [await write(['192.0.2.7']), await write(['127.0.0.0/33', '999.1.1.1']), await write(['127.0.0.1'])],
      [
        [422, [['admin_ip_allowlist', 'excludes_writer']]],
        [422, Array(2).fill(['admin_ip_allowlist', 'address'])],
        [200, []],
      ],
    )
  })
})

describe('a password that must be changed', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  async function lookAround(email: string): Promise<unknown[]> {
    const body = { email, password: testPassword, tenant_code: 'acme' }
    const { body: answer } = await platform.test.api.post('/auth/login/json', body)
    const api = platform.test.api.as(answer['data']?.['access_token'])
    const closed = [await api.get('/auth/sessions'), await api.get('/permissions/menus'), await api.get('/preferences')]
    const change = { old_password: testPassword, new_password: 'a passphrase of my own' }
    const open = [await api.get('/auth/me'), await api.put('/auth/password', change)]
    const next = open[1]?.body['data']
    const after = await platform.test.api.as(next?.['access_token']).get('/auth/sessions')
    const isRequired = [answer['data'], next].map((tokens) => tokens?.['password_change_required'])
    return [isRequired, closed.map(reasonOf), open.map(({ status }) => status), after.status]
  }
  const expected = [[true, false], Array(3).fill([403, 4037, 'password_change_required']), [200, 200], 200]

  it('because an administrator chose it opens nothing else', async () => {
    const { id } = await platform.createUser(acme, 'given@acme.test', ['tenant_user'])
    const users = platform.test.kernel.services.get(userDirectory)
    await users.setPassword(acme.id, id, 'something else entirely')
    await users.setPassword(acme.id, id, testPassword, { changeRequired: true })
    assert.deepEqual(await lookAround('given@acme.test'), expected)
  })

  it('because it is too old opens nothing else', async () => {
    await platform.createUser(acme, 'old@acme.test', ['tenant_user'])
    await configure(acme.owner, 'tenant', 'tenant_security', { password_expiry_days: 30 })
    await platform.test.kernel.database
      .knex('users')
      .where('email', 'old@acme.test')
      .update({ password_changed_at: new Date(Date.now() - 31 * 86_400_000) })
      .queryContext({ tenant: acme.id })
    assert.deepEqual(await lookAround('old@acme.test'), expected)
  })
})
