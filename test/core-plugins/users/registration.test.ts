import assert from 'node:assert/strict'
import { access } from '../../../core-plugins/access/contract.ts'
import { InvitationStore } from '../../../core-plugins/users/invitations/store.ts'
import { sweepRegistrations } from '../../../core-plugins/users/registration/sweep.ts'
import { runningKernel } from '../../support/auth.ts'
import { closed, outcome, parameterIn, startUsersWorld, type UsersWorld } from './world.ts'

describe('registration', () => {
  let world: UsersWorld
  before(async () => {
    world = await startUsersWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.signIn(closed))

  const verify = (token: string) => world.platform.test.api.post('/auth/verify-email', { token })

  it('is closed unless the tenant opens it', async () => {
    assert.equal(outcome(await world.register('early@acme.test')), '403 4036 registration_off')
  })

  it('makes an active user with the role of users, who signs in', async () => {
    await world.signIn({ allow_registration: true })
    const made = await world.join('Ann@Acme.Test')
    const userId = made.body['data']?.['user_id']
    assert.equal(made.status, 200)
    assert.deepEqual(made.body['data'], { user_id: userId, initial_role: 'tenant_user', status: 'active' })
    assert.equal(outcome(await world.login('ann@acme.test')), '200 0')
  })

  it('takes an address once, also of two who come at the same time', async () => {
    await world.signIn({ allow_registration: true })
    const answers = await Promise.all([world.register('twin@acme.test'), world.register('TWIN@acme.test')])
    const list = await world.acme.owner.get('/tenant/users?q=twin@acme.test')
    assert.deepEqual([...answers.map(outcome), list.body['data']?.['total']], ['201 0', '201 0', 1])
  })

  it('leaves out a number that another has, whatever the number looks like', async () => {
    await world.signIn({ allow_registration: true })
    // Too short to be signed in with, and for all that somebody's.
    const phone = '1 () 2 . ()'
    const answers = [await world.register('one@acme.test', { phone }), await world.register('two@acme.test', { phone })]
    assert.deepEqual(answers.map(outcome), ['201 0', '201 0'])
  })

  it('refuses a password that is guessed first or is made of the tenant’s name', async () => {
    await world.signIn({ allow_registration: true })
    const answers = await Promise.all(
      ['football2024', 'acme-x7q'].map((password) => world.register('weak@acme.test', { password })),
    )
    const rules = answers.map(({ body }) => (body['errors'] as unknown as { rule: string }[]).map(({ rule }) => rule))
    assert.deepEqual(answers.map(outcome), Array(2).fill('422 4223 password_policy'))
    assert.deepEqual(rules, [['blocklist'], ['similarity']])
  })

  it('gives the role that the tenant has chosen, but never one that manages', async () => {
    const roles = [
      { code: 'reader', permissions: ['user_profile:read'] },
      { code: 'manager', permissions: ['user_profile:read', 'tenant_user:list'] },
      { code: 'assigner', permissions: ['tenant_role:assign'] },
    ]
    for (const role of roles) await world.acme.owner.post('/tenant/roles', { ...role, name: role.code })
    const given: unknown[] = []
    for (const wanted of ['reader', 'manager', 'assigner', 'tenant_owner', 'tenant_admin', 'gone']) {
      await world.signIn({ allow_registration: true })
      // A role may become privileged after it was chosen.
      await setDefaultRole(world, wanted)
      const made = await world.register(`wants-${wanted}@acme.test`)
      const user = await world.acme.owner.get(`/tenant/users/${Number(made.body['data']?.['user_id'])}`)
      const held = user.body['data']?.['roles'] as unknown as { code: string }[]
      given.push([wanted, made.body['data']?.['initial_role'], held.map(({ code }) => code)])
    }
    assert.deepEqual(given, [
      ['reader', 'reader', ['reader']],
      ...['manager', 'assigner', 'tenant_owner', 'tenant_admin', 'gone'].map((wanted) => {
        return [wanted, 'tenant_user', ['tenant_user']]
      }),
    ])
  })

  it('waits for the proof of the address where only some domains may come', async () => {
    await world.signIn({ allow_registration: true, allowed_email_domains: ['acme.test', '@bücher.example'] })
    const refused = await world.register('ann@sub.acme.test')
    const waiting = await world.register('prover@acme.test')
    const early = await world.login('prover@acme.test')
    const mail = await world.message('prover@acme.test', 'verify_email')
    const token = parameterIn(mail, 'token')
    const done = await verify(token)
    assert.equal(outcome(refused), '400 4002 email_domain_refused')
    assert.equal(waiting.body['data']?.['status'], 'pending_verification')
    assert.deepEqual([early.body['code'], early.body['details']?.['status']], [4034, 'pending_verification'])
    assert.match(mail.text, /http:\/\/acme\.localhost[^]*valid for 24 hours/)
    assert.deepEqual(done.body['data'], {
      user_id: waiting.body['data']?.['user_id'],
      initial_role: 'tenant_user',
      status: 'active',
    })
    assert.equal(outcome(await verify(token)), '400 4006 email_proof_invalid')
    assert.equal(outcome(await world.login('prover@acme.test')), '200 0')
    assert.equal(outcome(await world.register('ann@xn--bcher-kva.example')), '201 0')
  })

  it('takes a proof once, also of two at the same time, and none that is made up', async () => {
    await world.signIn({ allow_registration: true, allowed_email_domains: ['acme.test'] })
    await world.register('racer@acme.test')
    const token = parameterIn(await world.message('racer@acme.test', 'verify_email'), 'token')
    const answers = await Promise.all([verify(token), verify(token), verify('x'.repeat(43))])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  })

  it('takes a proof in its time alone, and for the address that it was sent to', async () => {
    await world.signIn({ allow_registration: true })
    const { knex } = runningKernel(world.platform).database
    const tokens: string[] = []
    for (const email of ['tardy@acme.test', 'moved@acme.test']) {
      const made = await world.register(email)
      tokens.push(parameterIn(await world.message(email, 'verify_email'), 'token'))
      const id = Number(made.body['data']?.['user_id'])
      if (email.startsWith('moved')) await world.acme.owner.put(`/tenant/users/${id}`, { email: 'else@acme.test' })
      else
        await knex('user_email_proofs')
          .where({ user_id: id })
          .update({ expires_at: new Date(Date.now() - 1000) })
          .queryContext({ tenant: 'all' })
    }
    const answers = await Promise.all(tokens.map(verify))
    assert.deepEqual(answers.map(outcome), Array(2).fill('400 4006 email_proof_invalid'))
  })

  it('waits for an approval after the proof where the tenant wants both', async () => {
    await world.signIn({
      allow_registration: true,
      registration_approval: true,
      allowed_email_domains: ['acme.test'],
    })
    const waiting = await world.register('both@acme.test')
    const token = parameterIn(await world.message('both@acme.test', 'verify_email'), 'token')
    const proved = await verify(token)
    assert.deepEqual(
      [waiting, proved].map(({ body }) => body['data']?.['status']),
      ['pending_verification', 'pending_approval'],
    )
  })

  it('forgets whoever never proves the address, which is free again', async () => {
    await world.signIn({ allow_registration: true, allowed_email_domains: ['acme.test'] })
    await world.register('never@acme.test')
    const { knex } = runningKernel(world.platform).database
    const past = new Date(Date.now() - 1000)
    await knex('user_email_proofs').update({ expires_at: past }).queryContext({ tenant: 'all' })
    const { services } = world.platform.test.kernel
    const parts = { access: services.get(access), invitations: new InvitationStore(knex) }
    const find = async () => (await world.acme.owner.get('/tenant/users?q=never@acme.test')).body['data']
    const total = async () => (await find())?.['total']
    const [before, id] = [await total(), (await find())?.['items']?.['0']?.['id']]
    const erased: unknown[] = []
    const note = (...told: readonly unknown[]) => Promise.resolve(void erased.push(told.at(-1)))
    await sweepRegistrations({ db: knex, ...parts, erasure: { within: note, begin: note } })
    const after = await total()
    const again = await world.register('never@acme.test')
    assert.deepEqual([before, after, outcome(again), await total()], [1, 0, '201 0', 1])
    const never = erased.filter((user) => user === id)
    assert.deepEqual(never, [id, id])
  })

  it('refuses names with control characters and addresses that are none', async () => {
    await world.signIn({ allow_registration: true })
    const answers = [
      await world.register('bell@acme.test', { nickname: 'ring\u0007' }),
      await world.register('x@acme.test', { nickname: 'n'.repeat(65) }),
      await world.register('two@at@acme.test'),
      await world.register('plain'),
      await world.register('a@b.test', { status: 'active', roles: ['tenant_owner'] }),
    ]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      Array(5).fill(4220),
    )
  })
})

/** Stored as it is when the role was changed or deleted after it was chosen. */
async function setDefaultRole({ platform, acme }: UsersWorld, role: string): Promise<void> {
  await platform.test.kernel.database.knex
    .raw(
      `insert into system_config_values (config_id, tenant_id, value)
       select id, ?, ? from system_configs where key = 'default_role'
       on conflict (config_id, tenant_id) do update set value = excluded.value`,
      [acme.id, JSON.stringify(role)],
    )
    .queryContext({ tenant: acme.id })
  // Another write, and what is stored is read again.
  const answer = await acme.owner.put('/tenant/configs/groups/tenant_login', { login_title: `for ${role}` })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
