import assert from 'node:assert/strict'
import { UserStore } from '../../../core-plugins/users/store.ts'
import type { Answer, Api } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { testPassword } from '../../support/identity.ts'
import { enrolFactor } from '../../support/second-factor.ts'
import { outcome, startUsersWorld, type UsersWorld } from './world.ts'

const chosen = 'quite another passphrase'

describe('a new password from an administrator', () => {
  let world: UsersWorld
  let people = 0
  before(async () => {
    world = await startUsersWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  async function somebody(): Promise<{
    email: string
    id: number
    api: Api
    readonly reset: (by: Api, wish?: object) => Promise<Answer>
  }> {
    people += 1
    const email = `person${people}@acme.test`
    const user = await world.platform.createUser(world.acme, email, ['tenant_user'])
    return { ...user, email, reset: (by, wish = {}) => by.post(`/tenant/users/${user.id}/reset-password`, wish) }
  }

  it('is made up, shown once, ends every session and must be changed', async () => {
    const { email, api, reset } = await somebody()
    const answer = await reset(world.acme.owner)
    const { password, ...rest } = answer.body['data'] as unknown as { password: string }
    const signedIn = await world.login(email, password)
    await world.message(email, 'password_changed')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual(rest, { password_change_required: true })
    assert.ok(password.length >= 16)
    assert.equal(outcome(await api.get('/auth/me')), '401 4014 token_revoked')
    assert.equal(outcome(await world.login(email)), '401 4011 invalid_credentials')
    assert.equal(signedIn.body['data']?.['password_change_required'], true)
  })

  it('leaves an entry in the log without the password', async () => {
    const { id, reset } = await somebody()
    await reset(world.acme.owner, { password: chosen, notify: false })
    const log = await world.acme.owner.get(`/tenant/audit-logs?target=user:${id}`)
    const text = JSON.stringify(log.body)
    assert.ok(text.includes('tenant_user.password_reset'), text)
    assert.ok(!text.includes(chosen) && !text.includes('argon2'))
  })

  it('keeps the second factor unless that is asked for', async () => {
    const { id, api, reset } = await somebody()
    await enrolFactor(api)
    const factorOf = async () =>
      (await world.acme.owner.get(`/tenant/users/${id}`)).body['data']?.['two_factor_enabled']
    await reset(world.acme.owner)
    const kept = await factorOf()
    await reset(world.acme.owner, { reset_second_factor: true })
    assert.deepEqual([kept, await factorOf()], [true, false])
  })

  it('is held to the rules, and is not the present one', async () => {
    const { email, reset } = await somebody()
    const rules = await Promise.all(
      ['qz7', testPassword].map(async (password) => {
        const { body } = await reset(world.acme.owner, { password })
        return (body['errors'] as unknown as { rule: string }[]).map(({ rule }) => rule)
      }),
    )
    assert.deepEqual(rules, [['length'], ['history']])
    assert.equal(outcome(await world.login(email)), '200 0')
  })

  it('is not easy to guess for a user who is made either', async () => {
    const create = async (password: string) => {
      const { body } = await world.acme.owner.post('/tenant/users', {
        email: 'weakling@acme.test',
        nickname: 'Weakling',
        roles: [],
        password,
      })
      const errors = (body['errors'] ?? []) as unknown as { rule: string }[]
      return [body['code'], ...errors.map(({ rule }) => rule)]
    }
    assert.deepEqual(
      await Promise.all(['qz7', 'password123', 'abababababab', 'weakling1', 'x'.repeat(129)].map(create)),
      [
        [4223, 'length'],
        [4223, 'blocklist'],
        [4223, 'blocklist'],
        [4223, 'similarity'],
        [4223, 'length', 'blocklist'],
      ],
    )
  })

  it('is given to nobody above, outside or of another tenant, nor to oneself', async () => {
    const admin = await world.platform.createUser(world.acme, 'admin@acme.test', ['tenant_admin'])
    const helper = await helpdesk(world)
    const other = await world.platform.createTenant('other')
    const { id, reset } = await somebody()
    const ownerPath = `/tenant/users/${world.acme.ownerId}/reset-password`
    const answers = [
      await admin.api.post(ownerPath, {}),
      await helper.post(`/tenant/users/${admin.id}/reset-password`, {}),
      await reset(helper, { password: 'short' }),
      await reset(other.owner),
      await other.owner.post(`/tenant/users/${world.platform.adminId}/reset-password`, {}),
      await world.acme.owner.post(ownerPath, { password: chosen }),
      await world.platform.admin.post(`/admin/users/${id}/reset-password`, {}),
      await world.platform.admin.post(`/admin/users/${world.platform.adminId}/reset-password`, {}),
      await reset(world.acme.owner, { version: 7 }),
    ]
    assert.deepEqual(answers.map(outcome), [
      '403 4031 role_above_caller',
      '403 4031 role_above_caller',
      '422 4223 password_policy',
      '404 4040 not_found',
      '404 4040 not_found',
      '409 4094 own_account',
      '404 4040 not_found',
      '409 4094 own_account',
      '422 4220 validation_failed',
    ])
  })

  it('is there for the platform’s own users', async () => {
    const { admin, test } = world.platform
    const user = { email: 'operator@stoa.test', password: testPassword, roles: ['platform_operator'] }
    const made = await admin.post('/admin/users', user)
    const answer = await admin.post(`/admin/users/${Number(made.body['data']?.['id'])}/reset-password`, {})
    const credentials = { account: user.email, password: answer.body['data']?.['password'] }
    const signedIn = await test.api.post('/admin/auth/login/json', credentials)
    assert.equal(signedIn.body['data']?.['password_change_required'], true, JSON.stringify(signedIn.body))
  })

  it('stays when a sign-in with the old one would renew its hash a moment later', async () => {
    const { id, reset } = await somebody()
    const tenantId = world.acme.id
    const store = new UserStore(runningKernel(world.platform).database.knex)
    const before = (await store.find(tenantId, id)) ?? assert.fail('nobody')
    await reset(world.acme.owner)
    const replaced = await store.find(tenantId, id)
    await store.refreshHash(before, String(before.passwordHash))
    const after = await store.find(tenantId, id)
    assert.deepEqual([replaced?.passwordHash === before.passwordHash, after], [false, replaced])
  })
})

/** Somebody who may give new passwords and see everybody, and nothing else. */
async function helpdesk({ platform, acme }: UsersWorld): Promise<Api> {
  // Whoever helps users holds what users hold, or they would be above.
  const permissions = ['tenant_user:reset_password', 'tenant_user:detail']
  const role = { code: 'helpdesk', name: 'Help desk', permissions, data_scope: 'ALL' }
  const made = await acme.owner.post('/tenant/roles', role)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return (await platform.createUser(acme, 'help@acme.test', ['helpdesk', 'tenant_user'])).api
}
