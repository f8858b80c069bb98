import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Answer, Body } from '../../support/api.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { packFixture } from '../../support/packages.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { startWhole, useIn } from './world.ts'

const challengePath = '/api/public/captcha/challenge'

describe('the captcha of a plugin', () => {
  let platform: TestPlatform
  let tenant: TestTenant
  let address = 0

  before(async () => {
    platform = await startWhole()
    tenant = await platform.createTenant('acme')
    await installAndEnable(platform.admin, await packFixture('captcha-pow'))
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    await configure(platform.admin, 'admin', 'platform_captcha', { captcha_provider: 'pow' })
    await configure(tenant.owner, 'tenant', 'tenant_login', { allow_registration: true })
    await configure(tenant.owner, 'tenant', 'tenant_captcha', { captcha_enabled: true })
  })
  after(() => platform[Symbol.asyncDispose]())

  // Everybody comes from somewhere else: how often one may ask is not the subject.
  const nextAddress = (): string => `10.1.${(address += 1) >> 8}.${address & 255}`
  const post = (path: string, body: object, from = nextAddress()): Promise<Answer> =>
    platform.test.api.post(path, { tenant_code: 'acme', ...body }, { headers: { 'x-forwarded-for': from } })
  const ask = async (action: string, more: object = {}): Promise<Body> =>
    dataOf(await post(challengePath, { endpoint: 'user', action, ...more }))
  const register = (name: string, answer: object): Promise<Answer> =>
    post('/auth/register', { email: `${name}@acme.test`, password: testPassword, nickname: name, captcha: answer })

  it('is shown under the names that altcha’s widget reads, with where the plugin’s public routes begin', async () => {
    const { challenge, provider_code, public_endpoint } = await ask('register')
    const { type, algorithm, maxnumber, maxNumber, salt } = challenge as unknown as Record<string, unknown>
    assert.deepEqual(
      { provider_code, public_endpoint, type, algorithm, maxnumber, maxNumber },
      {
        provider_code: 'pow',
        public_endpoint: '/api/public/plugins/stoa.captcha-pow/api/',
        ...{ type: 'pow', algorithm: 'SHA-256', maxnumber: 50_000, maxNumber: 50_000 },
      },
    )
    assert.match(String(salt), /^[0-9a-f]{32}\?expires=\d+&$/)
    const hard = (await ask('register', { difficulty: 'hard' }))['challenge'] as Body
    assert.equal(hard['maxnumber'], 200_000)
  })

  it('lets somebody register and sign in who did its work, once', async () => {
    const asked = await ask('register')
    const answer = { challenge_id: asked['challenge_id'], solution: solve(asked['challenge']) }
    assert.deepEqual((await register('anna', answer)).status, 201)
    assert.deepEqual((await register('berta', answer)).body['code'], 4005)
    // The message with the link is not the subject.
    const { knex } = platform.test.kernel.database
    await knex('users')
      .where({ email: 'anna@acme.test' })
      .update({ status: 'active' })
      .queryContext({ tenant: tenant.id })
    const login = (more: object): Promise<Answer> =>
      post('/auth/login/json', { account: 'anna@acme.test', password: testPassword, ...more }, '10.2.0.1')
    for (let time = 0; time < 3; time += 1) await login({ password: 'something else' })
    const needed = await login({})
    assert.deepEqual(
      [needed.body['code'], needed.body['details']],
      [4004, { provider_code: 'pow', action: 'login', endpoint: 'user' }],
    )
    const again = await ask('login')
    const captcha = { challenge_id: again['challenge_id'], solution: solve(again['challenge']) }
    assert.equal((await login({ captcha })).status, 200)
  })

  it('takes no answer that is forged, of another challenge, or no answer at all', async () => {
    const asked = await ask('register')
    const other = await ask('register')
    const challenge = asked['challenge'] as unknown as Challenge
    const solved = JSON.parse(Buffer.from(solve(challenge), 'base64').toString()) as Record<string, unknown>
    const easy = createHash('sha256').update(`${challenge.salt}1`).digest('hex')
    const forged = [
      solve(other['challenge']),
      encode({ ...solved, number: Number(solved['number']) + 1 }),
      encode({ ...solved, challenge: easy, number: 1 }),
      encode({ ...solved, salt: `${challenge.salt}0` }),
      encode({ ...solved, signature: '0'.repeat(64) }),
      encode({ ...solved, algorithm: 'SHA-1' }),
      encode({ ...solved, number: String(solved['number']) }),
      encode([]),
      'no base64!',
      '{}',
    ]
    for (const solution of forged) {
      const refused = await register('carl', { challenge_id: asked['challenge_id'], solution })
      assert.equal(refused.body['code'], 4005, solution)
    }
    // None of them used the challenge up.
    const right = { challenge_id: asked['challenge_id'], solution: solve(challenge) }
    assert.equal((await register('carl', right)).status, 201)
  })

  it('gives way to the image while its plugin is quarantined, and while it is disabled', async () => {
    const { knex } = runningKernel(platform).database
    await knex.transaction(async (trx) => {
      const next = trx('plugin_desired_state').update({ generation: trx.raw('generation + 1') }, ['generation'])
      const [row] = (await next) as { generation: string }[]
      const change = { status: 'quarantined', generation: row?.generation }
      await trx('plugins').where({ name: 'stoa.captcha-pow' }).update(change)
    })
    await until(async () => ((await ask('login'))['provider_code'] as unknown) === 'image')
    dataOf(await platform.admin.post('/admin/plugins/stoa.captcha-pow/enable'))
    assert.equal((await ask('login'))['provider_code'], 'pow')
    dataOf(await platform.admin.post('/admin/plugins/stoa.captcha-pow/disable'))
    assert.equal((await ask('login'))['provider_code'], 'image')
    dataOf(await platform.admin.post('/admin/plugins/stoa.captcha-pow/enable'))
    assert.equal((await ask('login'))['provider_code'], 'pow')
  })

  it('is for the tenants that use the plugin, and gives way when it fails three times in a row', async () => {
    const bad = `{ captcha: { challenge() { throw new Error('broken') }, verify() { return { valid: true } } } }`
    const manifest = {
      ...{ capabilities: ['captcha'], reasons: { captcha: 'Tries.' } },
      provides: { captcha: { code: 'bad', title: { default: 'Bad' }, fallback: 'image' } },
    }
    await installAndEnable(platform.admin, await packSmall('acme.bad', manifest, bad))
    const unknown = { status: 422, code: 4220, reason: 'captcha_provider_unknown' }
    const named = { provider_code: 'bad', endpoint: 'user', action: 'login' }
    assert.deepEqual(refusalOf(await post(challengePath, named)), unknown)
    await useIn(platform, tenant, 'acme.bad')
    await configure(tenant.owner, 'tenant', 'tenant_captcha', { captcha_provider: 'bad' })
    const failed = { status: 502, code: 5026, reason: 'captcha_provider_error' }
    for (let time = 0; time < 3; time += 1) assert.deepEqual(refusalOf(await post(challengePath, named)), failed)
    assert.equal((await ask('login'))['provider_code'], 'image')
  })

  it('is not passed with what its plugin says is nonsense', async () => {
    const nonsense = `Object.assign(new Error('Nonsense'), { name: 'PluginError', code: 'invalid' })`
    const picky = `{ captcha: { challenge: () => ({ challenge: 'x', state: 1 }), verify() { throw ${nonsense} } } }`
    const manifest = {
      ...{ capabilities: ['captcha'], reasons: { captcha: 'Tries.' } },
      provides: { captcha: { code: 'picky', title: { default: 'Picky' }, fallback: 'image' } },
    }
    await installAndEnable(platform.admin, await packSmall('acme.picky', manifest, picky))
    await useIn(platform, tenant, 'acme.picky')
    await configure(tenant.owner, 'tenant', 'tenant_captcha', { captcha_provider: 'picky' })
    const asked = await ask('register')
    assert.equal(asked['provider_code'], 'picky')
    const refused = await register('dora', { challenge_id: asked['challenge_id'], solution: 'x' })
    assert.equal(refused.body['code'], 4005)
  })

  it('is refused at the upload when the module has none', async () => {
    const manifest = {
      ...{ capabilities: ['captcha'], reasons: { captcha: 'Tries.' } },
      provides: { captcha: { code: 'none', title: { default: 'None' } } },
    }
    const refused = await upload(
      platform.admin,
      await packSmall('acme.none', manifest, '{ captcha: { challenge() {} } }'),
    )
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'plugin_not_loadable' })
  })
})

interface Challenge {
  readonly challenge: string
  readonly salt: string
  readonly maxnumber: number
}

/** Does the work a visitor's device does. */
function solve(shown: unknown): string {
  const { challenge, salt, maxnumber } = shown as Challenge
  for (let number = 0; number <= maxnumber; number += 1) {
    if (
      createHash('sha256')
        .update(salt + number)
        .digest('hex') === challenge
    )
      return encode({ ...(shown as object), number })
  }
  throw new Error('no number solves the challenge')
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
