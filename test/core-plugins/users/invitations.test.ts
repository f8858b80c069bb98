import assert from 'node:assert/strict'
import { runningKernel } from '../../support/auth.ts'
import type { Answer, Api } from '../../support/api.ts'
import { outcome, parameterIn, startUsersWorld, type UsersWorld } from './world.ts'

describe('invitations', () => {
  let world: UsersWorld
  let owner: Api
  before(async () => {
    world = await startUsersWorld()
    owner = world.acme.owner
  })
  after(() => world[Symbol.asyncDispose]())

  const invite = (body: object, by: Api = owner): Promise<Answer> => by.post('/tenant/users/invites', body)
  async function codeOf(body: object, by?: Api): Promise<string> {
    const made = await invite(body, by)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body['data']?.['invite_code'] as unknown as string
  }

  it('let one person in though registration is closed, with their roles and nodes', async () => {
    const node = await world.node('Sales')
    const made = await invite({ email: 'Ann@acme.test', roles: ['tenant_admin'], org_ids: [node] })
    const { invite_code: code, invite_url: url } = made.body['data'] as unknown as Record<string, string>
    const mail = await world.message('ann@acme.test', 'invitation')
    const registered = await world.register('ANN@acme.test', { invite_code: code })
    const user = await owner.get(`/tenant/users/${Number(registered.body['data']?.['user_id'])}`)
    const list = await owner.get('/tenant/users/invites?status=used')
    const [used] = list.body['data']?.['items'] as unknown as Record<string, unknown>[]
    assert.equal(new URLSearchParams(new URL(String(url)).hash.slice(1)).get('invite_code'), code)
    assert.equal(parameterIn(mail, 'invite_code'), code)
    assert.deepEqual(
      [registered.body['data']?.['initial_role'], registered.body['data']?.['status'], user.body['data']?.['org_ids']],
      ['tenant_admin', 'active', [node]],
    )
    assert.deepEqual([used?.['used_by'], used?.['email']], [user.body['data']?.['id'], 'ann@acme.test'])
    assert.ok(!JSON.stringify(list.body).includes(String(code)))
  })

  it('are good once, also for two at the same time', async () => {
    const code = await codeOf({ roles: ['tenant_user'] })
    const people = ['one@acme.test', 'two@acme.test'].map((email) => world.register(email, { invite_code: code }))
    assert.deepEqual((await Promise.all(people)).map(outcome).sort(), ['201 0', '400 4006 invitation_invalid'])
  })

  it('are good for their address, their tenant and their time only', async () => {
    const other = await world.platform.createTenant('other')
    const bound = await codeOf({ email: 'bound@acme.test', send: false })
    const foreign = await codeOf({}, other.owner)
    const late = await codeOf({ expires_in_hours: 1 })
    await runningKernel(world.platform)
      .database.knex('user_invitations')
      .update({ expires_at: new Date(Date.now() - 1000) })
      .whereRaw("expires_at < now() + interval '2 hours'")
      .queryContext({ tenant: 'all' })
    const answers = [
      await world.register('thief@acme.test', { invite_code: bound }),
      await world.register('alien@acme.test', { invite_code: foreign }),
      await world.register('late@acme.test', { invite_code: late }),
      await world.register('guess@acme.test', { invite_code: 'x'.repeat(43) }),
    ]
    assert.deepEqual(answers.map(outcome), Array(4).fill('400 4006 invitation_invalid'))
    assert.equal(outcome(await world.register('bound@acme.test', { invite_code: bound })), '201 0')
  })

  it('are taken back, and nobody else’s are there', async () => {
    const made = await invite({ send: false })
    const path = `/tenant/users/invites/${Number(made.body['data']?.['id'])}`
    const stranger = await world.platform.createTenant('stranger')
    const answers = [
      await stranger.owner.delete(path),
      await owner.delete(path),
      await owner.delete(path),
      await world.register('back@acme.test', { invite_code: made.body['data']?.['invite_code'] }),
    ]
    assert.deepEqual(answers.map(outcome), [
      '404 4040 not_found',
      '200 0',
      '404 4040 not_found',
      '400 4006 invitation_invalid',
    ])
  })

  it('give nothing that the inviter could not give', async () => {
    const admin = await world.platform.createUser(world.acme, 'admin@acme.test', ['tenant_admin'])
    const org = await world.platform.createUser(world.acme, 'org@acme.test', ['org_admin'])
    const plain = await world.platform.createUser(world.acme, 'plain@acme.test', ['tenant_user'])
    const node = await world.node('Secret')
    const answers = [
      await invite({ roles: ['tenant_owner'] }, admin.api),
      await invite({ roles: ['tenant_admin'] }, org.api),
      await invite({ org_ids: [node] }, org.api),
      await invite({}, plain.api),
      await invite({ roles: ['emperor'] }),
      await invite({ org_ids: [999_999] }),
      await invite({ email: 'plain@acme.test' }),
      await invite({ expires_in_hours: 721 }),
      await invite({ tenant_id: 1 }),
    ]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [4031, 4031, 4031, 4031, 4220, 4220, 4091, 4220, 4220],
    )
  })

  it('are worth nothing when the inviter has lost the role or is gone', async () => {
    const inviter = await world.platform.createUser(world.acme, 'inviter@acme.test', ['tenant_admin'])
    const codes = [await codeOf({ roles: ['tenant_admin'] }, inviter.api), await codeOf({}, inviter.api)]
    const path = `/tenant/users/${inviter.id}`
    await owner.put(path, { roles: ['org_admin'] })
    const demoted = await world.register('d1@acme.test', { invite_code: codes[0] })
    await owner.put(path, { status: 'disabled' })
    const disabled = await world.register('d2@acme.test', { invite_code: codes[1] })
    await owner.delete(path)
    const deleted = await world.register('d3@acme.test', { invite_code: codes[1] })
    assert.deepEqual([demoted, disabled, deleted].map(outcome), Array(3).fill('400 4006 invitation_invalid'))
  })

  it('are worth nothing when the inviter may invite no more, though they give no role', async () => {
    const inviter = await world.platform.createUser(world.acme, 'former@acme.test', ['tenant_admin'])
    const code = await codeOf({}, inviter.api)
    const path = `/tenant/users/${inviter.id}`
    await owner.put(path, { roles: ['tenant_user'] })
    const refused = await world.register('friend@acme.test', { invite_code: code })
    await owner.put(path, { roles: ['tenant_admin'] })
    const again = await world.register('friend@acme.test', { invite_code: code })
    assert.deepEqual([refused, again].map(outcome), ['400 4006 invitation_invalid', '201 0'])
  })

  it('are not used up by somebody who is refused', async () => {
    const code = await codeOf({})
    const weak = await world.register('weak@acme.test', { invite_code: code, password: 'password1' })
    const taken = await world.register('org@acme.test', { invite_code: code })
    const good = await world.register('good@acme.test', { invite_code: code })
    assert.deepEqual([weak, taken, good].map(outcome), ['422 4223 password_policy', '201 0', '201 0'])
  })
})
