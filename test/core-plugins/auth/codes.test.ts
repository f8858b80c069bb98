// @both-back-ends
import assert from 'node:assert/strict'
import { testPassword, type TestTenant } from '../../support/identity.ts'
import { enrolFactor } from '../../support/second-factor.ts'
import { codesOf, methodsIn, startCodesWorld, type CodesWorld } from './codes-world.ts'

describe('sign-in by code', () => {
  let world: CodesWorld
  before(async () => {
    world = await startCodesWorld()
    await world.configure(world.acme.owner, 'tenant_login', { login_methods: ['password', 'email_code', 'sms_code'] })
  })
  after(() => world[Symbol.asyncDispose]())

  const send = (email: string, more: object = {}) =>
    world.post('/auth/login-code/send', { channel: 'email', email, tenant_code: 'acme', purpose: 'login', ...more })
  const login = (email: string, code: string, more: object = {}) =>
    world.post('/auth/login-code/login', { email, code, tenant_code: 'acme', ...more })

  it('sends a code to the e-mail address and lets its reader in, once', async () => {
    const { email, id } = await world.user()
    const sent = await send(email.toUpperCase())
    const code = await world.code(email, 'login_code')
    const answers = [await login(email, code, { device_name: 'Phone' }), await login(email, code)]
    assert.deepEqual(
      [sent.status, sent.body['data'], codesOf(answers), methodsIn(answers[0]?.body['data'])],
      [
        200,
        { sent: true, channel: 'email', masked_target: 'p***@acme.test', expires_in: 300, resend_after: 60 },
        [0, 4006],
        ['email'],
      ],
    )
    assert.equal(answers[0]?.body['data']?.['user']?.['id'], id)
  })

  it('sends a code to the phone, in whichever way its number is written', async () => {
    const phone = '+8613800138000'
    const person = { email: 'phone@acme.test', phone, password: testPassword, roles: ['tenant_user'] }
    await world.acme.owner.post('/tenant/users', person)
    const sent = await world.post('/auth/login-code/send', { phone: '+86 138-0013-8000', tenant_code: 'acme' })
    const code = await world.code(phone, 'login_code')
    const { body } = await world.post('/auth/login-code/login', { phone, code, tenant_code: 'acme' })
    assert.deepEqual(
      [sent.body['data']?.['masked_target'], body['code'], methodsIn(body['data'])],
      ['+86****00', 0, ['sms']],
    )
  })

  it('has the same in the tenant’s area, by the host or the tenant’s code', async () => {
    const { email } = await world.user()
    const options = { host: world.acme.host, headers: { 'x-forwarded-for': '10.9.0.1' } }
    const sent = await world.platform.test.api.post('/tenant/auth/login/code/send', { email }, options)
    const code = await world.code(email, 'login_code')
    const done = await world.post('/tenant/auth/login/code', { email, code, tenant_code: 'acme' })
    assert.deepEqual([sent.body['data']?.['sent'], done.body['data']?.['tenant']?.['code']], [true, 'acme'])
  })

  it('lets one of many in who bring the same code at once', async () => {
    const { email } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    const answers = await Promise.all(Array.from({ length: 4 }, () => login(email, code)))
    assert.deepEqual([...codesOf(answers)].sort(), [0, 4006, 4006, 4006])
  })

  it('takes a code for nothing but its tenant, address and purpose', async () => {
    const other: TestTenant = await world.platform.createTenant('other')
    const { email } = await world.user()
    const person = { email, password: testPassword, roles: ['tenant_user'] }
    await other.owner.post('/tenant/users', person)
    const stranger = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    const answers = [
      await world.post('/auth/login-code/login', { email, code, tenant_code: 'other' }),
      await login(stranger.email, code),
      await world.post('/auth/reset-password', { email, code, new_password: testPassword, tenant_code: 'acme' }),
      await world.post('/admin/auth/reset-password', { email, code, new_password: testPassword }),
      await login(email, code),
    ]
    assert.deepEqual(codesOf(answers), [4006, 4006, 4006, 4006, 0])
  })

  it('lets nobody in but whom it was sent to, though another has the address now', async () => {
    const { email, id } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    await world.acme.owner.put(`/tenant/users/${id}`, { email: `moved-${email}` })
    await world.acme.owner.post('/tenant/users', { email, password: testPassword, roles: ['tenant_user'] })
    assert.deepEqual(codesOf([await login(email, code)]), [4006])
  })

  it('takes no code that is too old', async () => {
    const { email } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    await world.change('auth_codes', { expires_at: new Date() })
    assert.deepEqual(codesOf([await login(email, code)]), [4006])
  })

  it('asks for the second factor of whoever has one', async () => {
    const { email, api } = await world.user()
    const factor = await enrolFactor(api)
    await send(email)
    const first = await login(email, await world.code(email, 'login_code'))
    const proof = { mfa_token: first.body['details']?.['mfa_token'], method: 'totp', code: factor.code(0) }
    const done = await world.post('/auth/mfa/verify', proof)
    assert.deepEqual(
      [first.status, ...codesOf([first, done]), methodsIn(done.body['data'])],
      [401, 4017, 0, ['email', 'otp', 'mfa']],
    )
  })

  it('lets nobody in who is disabled', async () => {
    const { email, id } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    await world.acme.owner.put(`/tenant/users/${id}`, { status: 'disabled' })
    const { body } = await login(email, code)
    assert.deepEqual([body['code'], body['details']?.['status']], [4034, 'disabled'])
  })

  it('is refused where it is switched off, and where there is no tenant', async () => {
    const shy = await world.platform.createTenant('shy')
    await world.configure(shy.owner, 'tenant_login', { login_methods: ['password'] })
    const answers = [
      await send('owner@shy.test', { tenant_code: 'shy' }),
      await login('owner@shy.test', '123456', { tenant_code: 'shy' }),
      await send('owner@shy.test', { tenant_code: 'nowhere' }),
      await send('no address'),
      await world.post('/auth/login-code/send', { channel: 'sms', email: 'a@b.test', tenant_code: 'acme' }),
    ]
    assert.deepEqual(codesOf(answers), [4036, 4036, 4041, 4220, 4220])
  })

  it('is shut during maintenance', async () => {
    const { email } = await world.user()
    await world.configure(world.platform.admin, 'platform_maintenance', { maintenance_mode: true })
    const answers = [await send(email), await login(email, '123456')]
    await world.configure(world.platform.admin, 'platform_maintenance', { maintenance_mode: false })
    assert.deepEqual(codesOf(answers), [5031, 5031])
  })
})
