import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { codeOf, issueSession, readToken, reasonOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('acting in a tenant', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const begin = (tenantId: number, body: object = {}, by: Api = platform.admin) =>
    by.post(`/admin/tenants/${tenantId}/impersonate`, body)
  const as = (answer: Answer): Api => platform.test.api.as(answer.body['data']?.['access_token'])
  async function staff(email: string, role: string): Promise<{ id: number; api: Api }> {
    const made = await platform.admin.post('/admin/users', { email, password: testPassword, roles: [role] })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const id = Number(made.body['data']?.['id'])
    return { id, api: await platform.signIn(0, id) }
  }

  it('gives an owner’s rights for half an hour, names who acts and hands out no refresh token', async () => {
    const answer = await begin(acme.id)
    const data = answer.body['data'] as Body
    const claims = readToken(data['access_token'] as unknown as string)[1]
    const { access_token: token, session_id: id, user, ...rest } = data as unknown as Record<string, Body>
    assert.deepEqual(
      [answer.status, answer.headers['cache-control'], typeof token, typeof id, user?.['id'], rest],
      [
        201,
        'no-store',
        'string',
        'string',
        acme.ownerId,
        {
          token_type: 'Bearer',
          expires_in: 1800,
          roles: ['tenant_owner'],
          tenant: { id: acme.id, code: 'acme', name: 'acme' },
          actor: { user_id: platform.adminId, tenant_id: 0 },
        },
      ],
    )
    assert.deepEqual(
      [claims['act'], claims['tenant_id'], claims['scope'], Number(claims['exp']) - Number(claims['iat'])],
      [{ sub: String(platform.adminId), tenant_id: 0 }, acme.id, 'tenant', 1800],
    )
    assert.deepEqual(
      [(await as(answer).get('/tenant/users')).status, codeOf(await as(answer).get('/admin/users'))],
      [200, [403, 4033]],
    )
  })

  it('gives the rights of the user who is named and no more', async () => {
    const { id } = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const api = as(await begin(acme.id, { user_id: id }))
    const me = await api.get('/auth/me')
    assert.deepEqual(
      [me.body['data']?.['user']?.['id'], me.body['data']?.['roles'], codeOf(await api.get('/tenant/users'))],
      [id, ['tenant_user'], [403, 4031]],
    )
  })

  it('stands in both logs, and what is done there names who did it', async () => {
    const other = await platform.createTenant('logged')
    const api = as(await begin(other.id, { reason: 'Ticket 7' }))
    const reasons = async (by: Api, scope: string) => {
      const { body } = await by.get(`/${scope}/audit-logs?action=tenant.impersonated`)
      const [latest] = body['data']?.['items'] as unknown as Body[]
      return latest?.['after']?.['reason'] as unknown
    }
    const entries = async (by: Api, scope: string) => {
      const { body } = await by.get(`/${scope}/audit-logs?action=tenant.impersonated`)
      const items = body['data']?.['items'] as unknown as Body[]
      return items.map(({ target, actor }) => [target, actor?.['scope'], actor?.['user_id']])
    }
    await api.post('/tenant/users', { email: 'made@logged.test', roles: ['tenant_user'] })
    const { body } = await other.owner.get('/tenant/audit-logs?action=tenant_user.created')
    const done = (body['data']?.['items'] as unknown as Body[])[0]
    assert.deepEqual([done?.['actor']?.['user_id'], done?.['acting']?.['user_id']], [other.ownerId, platform.adminId])
    const own = [`tenant:${other.id}`, 'platform', platform.adminId]
    assert.deepEqual((await entries(platform.admin, 'admin'))[0], own)
    assert.deepEqual(await entries(other.owner, 'tenant'), [[`user:${other.ownerId}`, 'platform', platform.adminId]])
    assert.deepEqual(
      [await reasons(platform.admin, 'admin'), await reasons(other.owner, 'tenant')],
      ['Ticket 7', 'Ticket 7'],
    )
    for (const reason of ['', ' ', '\t\n']) assert.deepEqual(codeOf(await begin(other.id, { reason })), [422, 4220])
    assert.equal((await begin(other.id)).status, 201)
  })

  it('leaves the password, the second factor and the sessions to the user', async () => {
    const session = await issueSession(platform, acme.id, acme.ownerId)
    const api = as(await begin(acme.id))
    const change = { old_password: testPassword, new_password: 'a passphrase of somebody else' }
    const refused = [
      await api.put('/auth/password', change),
      await api.post('/tenant/auth/password/reset', change),
      await api.patch('/tenant/users/security', { two_factor_enabled: true }),
      await api.delete(`/auth/sessions/${session.id}`),
      await api.post('/auth/logout', { all: true }),
    ]
    const ended = await api.post('/auth/logout')
    const after = [await api.get('/auth/me'), await platform.test.api.as(session.access).get('/auth/me')]
    assert.deepEqual(
      [refused.map(reasonOf), ended.body['data'], after.map(codeOf)],
      [
        Array(5).fill([403, 4030, 'actor_refused']),
        { revoked: 1 },
        [
          [401, 4014],
          [200, 0],
        ],
      ],
    )
  })

  it('takes no place among the user’s devices, and the user sees it and may end it', async () => {
    const { id, api } = await platform.createUser(acme, 'busy@acme.test', ['tenant_user'])
    const acting = Array.from({ length: 12 }, () => begin(acme.id, { user_id: id }))
    const begun = await Promise.all(acting)
    const { body } = await api.get('/auth/sessions?page_size=50')
    const items = body['data']?.['items'] as unknown as Body[]
    const names = items.filter(({ current }) => !current).map((item) => item['device_name'])
    const target = begun[0]?.body['data']?.['session_id'] as unknown as string
    const ended = await api.delete(`/auth/sessions/${target}`)
    assert.deepEqual([names, ended.status], [Array(12).fill('Platform administrator'), 200])
    assert.deepEqual(codeOf(await as(begun[0] ?? assert.fail()).get('/auth/me')), [401, 4014])
  })

  it('ends with the right to it', async () => {
    const helper = await staff('helper@stoa.test', 'super_admin')
    const [first, second] = [as(await begin(acme.id, {}, helper.api)), as(await begin(acme.id, {}, helper.api))]
    const open = [(await first.get('/auth/me')).status, (await second.get('/auth/me')).status]
    await platform.admin.put(`/admin/users/${helper.id}`, { roles: ['platform_operator'] })
    const demoted = await second.get('/auth/me')
    await platform.admin.put(`/admin/users/${helper.id}`, { roles: ['super_admin'] })
    const third = as(await begin(acme.id, {}, await platform.signIn(0, helper.id)))
    await platform.admin.put(`/admin/users/${helper.id}`, { status: 'disabled' })
    assert.deepEqual(
      [open, codeOf(demoted), codeOf(await third.get('/auth/me'))],
      [
        [200, 200],
        [401, 4014],
        [401, 4014],
      ],
    )
  })

  it('ends with the password of who acts', async () => {
    const helper = await staff('replaced@stoa.test', 'super_admin')
    const acting = as(await begin(acme.id, {}, helper.api))
    const before = codeOf(await acting.get('/auth/me'))
    const reset = await platform.admin.post(`/admin/users/${helper.id}/reset-password`, {})
    assert.deepEqual([before, reset.status, codeOf(await acting.get('/auth/me'))], [[200, 0], 200, [401, 4014]])
  })

  it('is for who may, in tenants and as users who are there and active', async () => {
    const closed = await platform.createTenant('closed')
    await platform.admin.put(`/admin/tenants/${closed.id}`, { status: 'disabled' })
    const { id } = await platform.createUser(acme, 'off@acme.test', ['tenant_user'])
    await acme.owner.put(`/tenant/users/${id}`, { status: 'disabled' })
    const operator = await staff('operator@stoa.test', 'platform_admin')
    const answers = [
      await begin(acme.id, {}, operator.api),
      await begin(acme.id, {}, acme.owner),
      await begin(999_999),
      await begin(closed.id),
      await begin(acme.id, { user_id: id }),
      await begin(acme.id, { user_id: platform.adminId }),
      await begin(acme.id, { user_id: closed.ownerId }),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [403, 4031],
      [403, 4033],
      [404, 4040],
      [403, 4035],
      [403, 4034],
      [404, 4040],
      [404, 4040],
    ])
  })
})
