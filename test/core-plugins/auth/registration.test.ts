import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { testPassword, type TestTenant } from '../../support/identity.ts'
import { codesOf, startCodesWorld, type CodesWorld } from './codes-world.ts'

describe('registration', () => {
  let world: CodesWorld
  let open: TestTenant
  before(async () => {
    world = await startCodesWorld()
    open = await world.platform.createTenant('open')
    await world.configure(open.owner, 'tenant_login', { allow_registration: true })
    // What a captcha does has a test below.
    await world.configure(open.owner, 'tenant_captcha', { user_registration_captcha_enabled: false })
    await world.configure(world.acme.owner, 'tenant_captcha', { user_registration_captcha_enabled: false })
  })
  after(() => world[Symbol.asyncDispose]())

  const person = (name: string, more: object = {}) => ({
    email: `${name}@open.test`,
    password: testPassword,
    nickname: name,
    tenant_code: 'open',
    ...more,
  })
  /** Registers somebody who then proves the address. */
  const join = async (name: string) => {
    const made = await world.post('/auth/register', person(name))
    await prove(name)
    return made
  }
  const prove = async (name: string) => {
    const { text } = await world.message(`${name}@open.test`, 'verify_email')
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail('no link'))
    return world.post('/auth/verify-email', { token: new URLSearchParams(link.hash.slice(1)).get('token') })
  }
  const login = (name: string) =>
    world.post('/auth/login/json', { account: `${name}@open.test`, password: testPassword, tenant_code: 'open' })

  it('makes a user with the initial role, who can sign in', async () => {
    const made = await join('anna')
    const { body } = await login('anna')
    const id = body['data']?.['user']?.['id']
    assert.deepEqual(
      [made.status, made.body['data'], body['data']?.['roles']],
      [201, { user_id: id, initial_role: 'tenant_user', status: 'pending_verification' }, ['tenant_user']],
    )
  })

  it('has the same in the tenant’s area, by the tenant’s host', async () => {
    const { tenant_code: code, ...body } = person('bert')
    const options = { host: open.host, headers: { 'x-forwarded-for': '10.8.0.1' } }
    const made = await world.platform.test.api.post('/tenant/users/register', body, options)
    const proved = await prove('bert')
    assert.deepEqual([made.status, proved.body['data']?.['status'], (await login('bert')).status], [201, 'active', 200])
    assert.equal(code, open.code)
  })

  it('is refused where it is off, without a tenant, with a weak password, and with members nobody knows', async () => {
    const answers = [
      await world.post('/auth/register', person('dora', { tenant_code: 'acme' })),
      await world.post('/auth/register', person('dora', { tenant_code: 'nowhere' })),
      await world.post('/auth/register', person('dora', { password: '12345678' })),
      await world.post('/auth/register', person('dora', { roles: ['tenant_owner'] })),
      await world.post('/auth/register', person('dora', { status: 'active' })),
      await world.post('/auth/register', person('dora', { email: 'dora' })),
      await world.post('/auth/register', person('dora', { nickname: ' ' })),
    ]
    assert.deepEqual(codesOf(answers), [4036, 4041, 4223, 4220, 4220, 4220, 4220])
    assert.deepEqual(codesOf([await login('dora')]), [4011])
  })

  it('waits for the proof of the address, also where only some addresses are let in', async () => {
    const strict = await world.platform.createTenant('strict')
    const rules = { allow_registration: true, allowed_email_domains: ['open.test'] }
    await world.configure(strict.owner, 'tenant_login', rules)
    await world.configure(strict.owner, 'tenant_captcha', { user_registration_captcha_enabled: false })
    const body = person('ella', { tenant_code: 'strict' })
    const made = await world.post('/auth/register', body)
    const signIn = () =>
      world.post('/auth/login/json', { account: body.email, password: testPassword, tenant_code: 'strict' })
    const early = await signIn()
    const { text } = await world.message(body.email, 'verify_email')
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail('no link'))
    const token = new URLSearchParams(link.hash.slice(1)).get('token')
    const proved = await world.post('/auth/verify-email', { token })
    const answers = [early, proved, await signIn(), await world.post('/auth/verify-email', { token: 'made up' })]
    assert.deepEqual(
      [made.body['data']?.['status'], codesOf(answers), link.hostname, proved.body['data']?.['status']],
      ['pending_verification', [4034, 0, 0, 4006], 'strict.localhost', 'active'],
    )
  })

  it('asks for a captcha where the tenant wants one', async () => {
    const wary = await world.platform.createTenant('wary')
    await world.configure(wary.owner, 'tenant_login', { allow_registration: true })
    const { body } = await world.post('/auth/register', person('fritz', { tenant_code: 'wary' }))
    assert.deepEqual(
      [body['code'], body['details']?.['action'], body['details']?.['endpoint']],
      [4004, 'register', 'user'],
    )
  })

  it('that is off says so before it asks for a captcha', async () => {
    const wary = await world.platform.createTenant('weary')
    const register = async (more: object = {}) => {
      return world.post('/auth/register', person('hanna', { tenant_code: 'weary', ...more }))
    }
    const answers = [await register(), await register({ invite_code: 'made up' })]
    await world.configure(wary.owner, 'tenant_login', { allow_registration: true })
    answers.push(await register())
    // Whether an invitation is one is told to nobody who has not passed the captcha.
    assert.deepEqual(codesOf(answers), [4036, 4004, 4004])
  })

  it('is limited to ten an hour from one address', async () => {
    const answers: Answer[] = []
    for (let count = 0; count < 11; count += 1) {
      answers.push(await world.post('/auth/register', person('gina', { password: 'short' }), '198.51.100.9'))
    }
    assert.deepEqual(new Set(codesOf(answers.slice(0, 10))), new Set([4223]))
    assert.deepEqual(codesOf(answers.slice(10)), [4290])
    assert.ok(Number(answers[10]?.headers['retry-after']) > 0)
  })
})
