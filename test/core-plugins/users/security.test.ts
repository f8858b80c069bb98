import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { secondFactors } from '../../../core-plugins/users/contract.ts'
import type { Api } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { enrolFactor } from '../../support/second-factor.ts'
import { outcome, startUsersWorld, type UsersWorld } from './world.ts'

const path = '/tenant/users/security'

describe('the safety of the own sign-in', () => {
  let world: UsersWorld
  let people = 0
  before(async () => {
    world = await startUsersWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  async function somebody(): Promise<{ readonly id: number; readonly api: Api }> {
    people += 1
    return world.platform.createUser(world.acme, `person${people}@acme.test`, ['tenant_user'])
  }

  it('gets a second factor in two steps, with ten recovery codes', async () => {
    const { id, api } = await somebody()
    const pending = await api.patch(path, { two_factor_enabled: true })
    const { status, secret, otpauth_uri: uri } = pending.body['data'] as unknown as Record<string, string>
    const before = await world.acme.owner.get(`/tenant/users/${id}`)
    const { recoveryCodes } = await enrolFactor(api)
    const after = await world.acme.owner.get(`/tenant/users/${id}`)
    const { searchParams, protocol, host } = new URL(String(uri))
    assert.deepEqual([status, protocol, host], ['pending', 'otpauth:', 'totp'])
    assert.deepEqual(
      ['secret', 'issuer', 'algorithm', 'digits', 'period'].map((name) => searchParams.get(name)),
      [secret, 'acme', 'SHA1', '6', '30'],
    )
    assert.deepEqual([new Set(recoveryCodes).size, recoveryCodes.length], [10, 10])
    assert.deepEqual(
      [before, after].map(({ body }) => body['data']?.['two_factor_enabled']),
      [false, true],
    )
  })

  it('keeps secrets sealed and recovery codes as MACs', async () => {
    const { id, api } = await somebody()
    const { recoveryCodes } = await enrolFactor(api)
    const { knex } = runningKernel(world.platform).database
    const context = { tenant: world.acme.id }
    const factor: unknown = await knex('user_second_factors').where('user_id', id).first().queryContext(context)
    const codes = await knex('user_recovery_codes').where('user_id', id).queryContext(context)
    assert.match((factor as { secret: string }).secret, /^gAAAA/)
    assert.ok(!recoveryCodes.some((code) => JSON.stringify(codes).includes(code.replace('-', ''))))
  })

  it('takes each code once, also of two that come at the same time', async () => {
    const { id, api } = await somebody()
    const factor = await enrolFactor(api)
    const { verify } = useFactors()
    const [recovery = ''] = factor.recoveryCodes
    // Made once: a moment later the same step may have another code.
    const [before, now] = [factor.code(-1), factor.code(0)]
    const twice = (method: 'totp' | 'recovery_code', code: string) =>
      Promise.all([verify(id, method, code), verify(id, method, code)])
    const answers = [
      await twice('totp', now),
      await twice('totp', now),
      await twice('totp', before),
      await twice('recovery_code', recovery.toUpperCase().replace('-', ' ')),
      await twice('recovery_code', recovery),
      await twice('totp', recovery),
      await twice('recovery_code', factor.code(1)),
    ]
    assert.deepEqual(
      answers.map((pair) => pair.filter(Boolean).length),
      [1, 0, 0, 1, 0, 0, 0],
    )
  })

  it('is turned off with a code and not without', async () => {
    const { id, api } = await somebody()
    const factor = await enrolFactor(api)
    const off = (code?: string) => api.patch(path, { two_factor_enabled: false, ...(code && { totp_code: code }) })
    const answers = [await off(), await off('000000'), await off('aaaaa-aaaaa'), await off(factor.recoveryCodes[3])]
    assert.deepEqual(answers.map(outcome), [...Array<string>(3).fill('400 4006 second_factor_invalid'), '200 0'])
    assert.deepEqual(answers[3]?.body['data'], { status: 'disabled' })
    assert.deepEqual(await useFactors().methodsOf(id), [])
  })

  it('refuses a wrong first code, an old secret, and a code without a secret', async () => {
    const { api } = await somebody()
    const on = (code?: string) => api.patch(path, { two_factor_enabled: true, ...(code && { totp_code: code }) })
    const answers = [await on('123456'), await on(), await on('abcdef'), await api.patch(path, { status: 'enabled' })]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [4006, 0, 4006, 4220],
    )
  })

  it('takes the first code for a quarter of an hour, and then begins anew', async () => {
    const { id, api } = await somebody()
    const begun = await api.patch(path, { two_factor_enabled: true })
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body['data']?.['secret'] as unknown as string) })
    await runningKernel(world.platform)
      .database.knex('user_second_factors')
      .where({ user_id: id })
      .update({ created_at: new Date(Date.now() - 15 * 60_000 - 1) })
      .queryContext({ tenant: world.acme.id })
    const late = await api.patch(path, { two_factor_enabled: true, totp_code: totp.generate() })
    assert.deepEqual([outcome(late), await useFactors().methodsOf(id)], ['400 4006 second_factor_invalid', []])
  })

  it('takes so many wrong codes and no more', async () => {
    const { id, api } = await somebody()
    const factor = await enrolFactor(api)
    const { verify } = useFactors()
    const tries = Array.from({ length: 30 }, (_, place) =>
      verify(id, 'totp', String(place).padStart(6, '0')).catch((error: { code: number }) => error.code),
    )
    const outcomes = await Promise.all(tries)
    assert.ok(outcomes.filter((each) => each === 4290).length >= 10, JSON.stringify(outcomes))
    assert.equal(
      outcome(await api.patch(path, { two_factor_enabled: false, totp_code: factor.code(0) })),
      '429 4290 rate_limited',
    )
  })

  it('is changed only soon after a sign-in', async () => {
    const { id } = await somebody()
    const { test } = world.platform
    const signedIn = await world.login(`person${people}@acme.test`)
    await runningKernel(world.platform)
      .database.knex('auth_sessions')
      .update({ created_at: new Date(Date.now() - 16 * 60_000) })
      .where('user_id', id)
      .queryContext({ tenant: world.acme.id })
    const refreshed = await test.api.post('/auth/refresh', { refresh_token: signedIn.body['data']?.['refresh_token'] })
    const old = test.api.as(refreshed.body['data']?.['access_token'])
    assert.deepEqual(
      [
        await test.api.as(signedIn.body['data']?.['access_token']).patch(path, { two_factor_enabled: true }),
        await old.patch(path, { two_factor_enabled: true }),
        await old.patch(path, { login_security: { notify_new_device: true } }),
      ].map(outcome),
      ['200 0', '401 4018 reauth_required', '401 4018 reauth_required'],
    )
  })

  it('has rules for sign-ins, which lock nobody out', async () => {
    const { api } = await somebody()
    const change = (rules: object) => api.patch(path, { login_security: rules })
    const answers = [
      await change({ allowed_ips: ['127.0.0.1', '10.0.0.7/8', '2001:db8::/32'], session_max_devices: 3 }),
      await change({ allowed_ips: ['10.0.0.0/8'] }),
      await change({ allowed_ips: ['127.0.0.1', 'localhost', '300.1.1.1', '127.1', '10.0.0.0/33'] }),
      await change({ session_max_devices: 0 }),
      await change({ session_max_devices: 101 }),
      await change({ everything: true }),
      await change({ notify_new_device: false }),
      await api.get(path),
      await change({ allowed_ips: [] }),
    ]
    assert.deepEqual(answers[7]?.body['data'], {
      two_factor_enabled: false,
      methods: [],
      login_security: {
        notify_new_device: false,
        allowed_ips: ['127.0.0.1/32', '10.0.0.7/8', '2001:db8::/32'],
        session_max_devices: 3,
      },
    })
    const faults = answers[2]?.body['errors'] as unknown as { field: string }[]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [0, 4002, 4220, 4220, 4220, 4220, 0, 0, 0],
    )
    assert.deepEqual(
      faults.map(({ field }) => field),
      [1, 2, 3, 4].map((place) => `login_security.allowed_ips[${place}]`),
    )
  })

  it('is there for administrators of the platform too', async () => {
    const { admin, test, adminId } = world.platform
    const pending = await admin.patch('/admin/users/security', { two_factor_enabled: true })
    await enrolFactor(admin, 'admin')
    const methods = await test.kernel.services.get(secondFactors).methodsOf(0, adminId)
    const crossed = [
      await world.acme.owner.patch('/admin/users/security', { two_factor_enabled: true }),
      await admin.patch(path, { two_factor_enabled: true }),
    ]
    assert.match(JSON.stringify(pending.body['data']), /issuer=/)
    assert.deepEqual(methods, ['totp', 'recovery_code'])
    assert.deepEqual(
      crossed.map(({ body }) => body['code']),
      [4033, 4033],
    )
  })

  function useFactors() {
    const factors = world.platform.test.kernel.services.get(secondFactors)
    return {
      methodsOf: (id: number) => factors.methodsOf(world.acme.id, id),
      verify: (id: number, method: 'totp' | 'recovery_code', code: string) =>
        factors.verify(world.acme.id, id, method, code),
    }
  }
})
