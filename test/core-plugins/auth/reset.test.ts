import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { testPassword } from '../../support/identity.ts'
import { enrolFactor } from '../../support/second-factor.ts'
import { codesOf, methodsIn, startCodesWorld, type CodesWorld } from './codes-world.ts'

const fresh = 'another long passphrase'

describe('a forgotten password', () => {
  let world: CodesWorld
  before(async () => {
    world = await startCodesWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const forgot = (email: string, more: object = {}) =>
    world.post('/auth/forgot-password', { email, tenant_code: 'acme', ...more })
  const reset = (body: object) => world.post('/auth/reset-password', { new_password: fresh, ...body })
  const login = (account: string, password: string) =>
    world.post('/auth/login/json', { account, password, tenant_code: 'acme' })
  const linkTo = async (email: string): Promise<URL> => {
    const { text } = await world.message(email, 'reset_link')
    return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail('no link'))
  }
  const tokenFor = async (email: string): Promise<string> => {
    await forgot(email)
    return new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token') ?? assert.fail('no token')
  }

  it('is replaced through a link, and everything older is over', async () => {
    const { email, api } = await world.user()
    const asked = await forgot(email)
    const token = new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token')
    const done = await reset({ token })
    const answers = [
      done,
      await login(email, testPassword),
      await api.get('/auth/me'),
      await api.as(done.body['data']?.['access_token']).get('/auth/me'),
      await login(email, fresh),
      await reset({ token }),
    ]
    await world.message(email, 'password_changed')
    assert.deepEqual(
      [asked.body['data'], codesOf(answers), methodsIn(done.body['data'])],
      [{ sent: true }, [0, 4011, 4014, 0, 0, 4006], ['email']],
    )
  })

  it('is replaced with a code that was sent to the phone or the e-mail address', async () => {
    const { email, id } = await world.user()
    const phone = '+4915112345678'
    await world.acme.owner.put(`/tenant/users/${id}`, { phone })
    await forgot(email, { channel: 'sms' })
    const first = await reset({ phone, code: await world.code(phone, 'reset_code'), tenant_code: 'acme' })
    const other = await world.user()
    await world.post('/auth/login-code/send', { email: other.email, purpose: 'reset', tenant_code: 'acme' })
    const code = await world.code(other.email, 'reset_code')
    const answers = [
      first,
      await world.post('/auth/login-code/login', { email: other.email, code, tenant_code: 'acme' }),
      await reset({ email: other.email, code, tenant_code: 'acme' }),
      await login(other.email, fresh),
    ]
    assert.deepEqual([codesOf(answers), methodsIn(first.body['data'])], [[0, 4006, 0, 0], ['sms']])
  })

  it('is answered alike whether or not somebody has the account, by name or by address', async () => {
    const { email } = await world.user()
    const twice = async (body: object) => {
      const answers = [await forgot('', body), await forgot('', body)]
      return answers.map(({ status, body: { code, data } }) => [status, code, data])
    }
    const known = [await twice({ email }), await twice({ email: undefined, account: email.toUpperCase() })]
    const unknown = [
      await twice({ email: 'nobody@acme.test' }),
      await twice({ email: undefined, account: 'NOBODY@acme.test' }),
    ]
    await world.message(email, 'reset_link')
    assert.deepEqual(unknown, known)
    assert.deepEqual(known[0], [
      [200, 0, { sent: true }],
      [429, 4295, undefined],
    ])
    assert.equal(world.messages.filter(({ to }) => to.toLowerCase() === 'nobody@acme.test').length, 0)
  })

  it('sends one message a minute to a person, whatever name is given, and says nothing of it', async () => {
    const { email, id } = await world.user()
    await world.acme.owner.put(`/tenant/users/${id}`, { account: 'many-names' })
    const answers = [await forgot(email), await forgot('', { email: undefined, account: 'many-names' })]
    const other = await world.user()
    await forgot(other.email)
    // The outbox is emptied in order: what was put in before this has come, too.
    await world.message(other.email, 'reset_link')
    assert.deepEqual([codesOf(answers), world.messages.filter(({ to }) => to === email).length], [[0, 0], 1])
  })

  it('leaves a code good when another is asked for by another name too soon', async () => {
    const { email, id } = await world.user()
    await world.acme.owner.put(`/tenant/users/${id}`, { account: 'hasty' })
    const answers = [
      await forgot(email, { channel: 'email' }),
      await forgot('', { email: undefined, account: 'hasty', channel: 'email' }),
    ]
    const code = await world.code(email, 'reset_code')
    answers.push(await reset({ email, code, tenant_code: 'acme' }))
    assert.deepEqual(codesOf(answers), [0, 0, 0])
  })

  it('leaves the link and the code as they are when the new password is refused', async () => {
    const { email } = await world.user()
    const token = await tokenFor(email)
    const refused = [
      await reset({ token, new_password: '12345678' }),
      await reset({ token, new_password: testPassword }),
    ]
    const accepted = await reset({ token })
    const other = await world.user()
    await forgot(other.email, { channel: 'email' })
    const code = await world.code(other.email, 'reset_code')
    const byCode: Answer[] = []
    for (const password of ['12345678', '87654321', 'short', '11111111', testPassword, fresh]) {
      byCode.push(await reset({ email: other.email, code, new_password: password, tenant_code: 'acme' }))
    }
    assert.deepEqual(
      [codesOf([...refused, accepted]), codesOf(byCode)],
      [
        [4223, 4223, 0],
        [4223, 4223, 4223, 4223, 4223, 0],
      ],
    )
  })

  it('lets one of many in who bring the same link at once', async () => {
    const token = await tokenFor((await world.user()).email)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, count) => reset({ token, new_password: fresh + count })),
    )
    assert.deepEqual([...codesOf(answers)].sort(), [0, 4006, 4006, 4006, 4006, 4006])
  })

  it('takes every other link and code with it, as does a change of the password', async () => {
    const { email, api } = await world.user()
    const outstanding = async () => {
      await world.post('/auth/login-code/send', { email, tenant_code: 'acme' })
      return { token: await tokenFor(email), code: await world.code(email, 'login_code') }
    }
    const { token, code } = await outstanding()
    const changed = await api.put('/auth/password', { old_password: testPassword, new_password: fresh })
    const answers = [
      changed,
      await reset({ token, new_password: 'a third long passphrase' }),
      await world.post('/auth/login-code/login', { email, code, tenant_code: 'acme' }),
    ]
    await world.message(email, 'password_changed')
    assert.deepEqual(codesOf(answers), [0, 4006, 4006])
  })

  it('of somebody with a second factor lets nobody in without it', async () => {
    const { email, api } = await world.user()
    const factor = await enrolFactor(api)
    const done = await reset({ token: await tokenFor(email) })
    const proof = { mfa_token: done.body['details']?.['mfa_token'], method: 'totp', code: factor.code(0) }
    const verified = await world.post('/auth/mfa/verify', proof)
    assert.deepEqual(
      [done.status, ...codesOf([done, verified]), methodsIn(verified.body['data'])],
      [401, 4017, 0, ['email', 'otp', 'mfa']],
    )
  })

  it('of somebody who is disabled stays what it was', async () => {
    const { email, id } = await world.user()
    const token = await tokenFor(email)
    await world.acme.owner.put(`/tenant/users/${id}`, { status: 'disabled' })
    const refused = await reset({ token })
    await world.acme.owner.put(`/tenant/users/${id}`, { status: 'active' })
    assert.deepEqual(codesOf([refused, await login(email, fresh), await login(email, testPassword)]), [4034, 4011, 0])
  })

  it('of the platform’s staff has a way of its own', async () => {
    const email = 'admin@stoa.test'
    const asked = await world.post('/admin/auth/forgot-password', { email })
    const link = await linkTo(email)
    const token = new URLSearchParams(link.hash.slice(1)).get('token')
    const tenants = await tokenFor((await world.user()).email)
    const answers = [
      asked,
      await reset({ token }),
      await world.post('/admin/auth/reset-password', { token: tenants, new_password: fresh }),
      await world.post('/admin/auth/reset-password', { token, new_password: fresh }),
      await world.post('/admin/auth/login/json', { email, password: fresh }),
      await reset({ token: tenants }),
    ]
    assert.deepEqual([codesOf(answers), link.pathname], [[0, 4006, 4006, 0, 0, 0], '/console/reset-password'])
  })
})
