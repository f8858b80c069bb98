// @both-back-ends
import assert from 'node:assert/strict'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import type { TestKernel } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { demands } from './demands.ts'
import {
  ask,
  configure,
  configureTenant,
  host as tenantHost,
  knock,
  newChallenge,
  rightWord,
  startCaptchas,
  verify,
} from './world.ts'

const required = { status: 400, code: 4004, reason: 'captcha_required' }
const invalid = { status: 400, code: 4005, reason: 'captcha_invalid' }
const platformHost = 'localhost'

describe('the gate before sign-ins', () => {
  let host: TestKernel

  before(async () => {
    host = await startCaptchas()
    await configure(host.api, { captcha_challenge_limit: 6000, captcha_verify_limit: 6000 })
  })
  after(() => host[Symbol.asyncDispose]())

  describe('asks', () => {
    for (const { name, demand, platform, tenant, needed } of demands) {
      it(`${needed ? 'for a captcha' : 'for nothing'}: ${name}`, async () => {
        if (platform) await configure(host.api, platform)
        if (tenant) await configureTenant(host.api, tenant)
        const answer = await knock(host.api, undefined, demand)
        await reset('platform_captcha', platformToken('platform_config:*'), platform)
        await reset('tenant_captcha', tenantToken(5, 'tenant_config:*'), tenant)
        assert.equal(answer.status, needed ? 400 : 200, JSON.stringify(answer.body))
      })
    }
  })

  async function reset(group: string, token: string, values: object = {}): Promise<void> {
    dataOf(await host.api.put(`/configs/groups/${group}`, { values: {}, reset: Object.keys(values) }, { token }))
  }

  it('says what it wants', async () => {
    await configureTenant(host.api, { captcha_provider: 'words' })
    const answers = [
      await knock(host.api, undefined),
      await knock(host.api, {}),
      await knock(host.api, { challengeId: '' }),
    ]
    await configureTenant(host.api, { captcha_provider: '' })
    for (const answer of answers) {
      assert.deepEqual(refusalOf(answer), required)
      assert.deepEqual(answer.body['details'], { provider_code: 'words', action: 'login', endpoint: 'user' })
    }
  })

  it('takes a challenge that was verified, by its id alone, once', async () => {
    const challengeId = await newChallenge(host.api)
    await verify(host.api, { challenge_id: challengeId })
    assert.deepEqual(dataOf(await knock(host.api, { challengeId })), { passed: true })
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId })), invalid)
  })

  it('takes a challenge with its solution, once', async () => {
    const answer = { challengeId: await newChallenge(host.api), solution: rightWord, providerCode: 'words' }
    assert.deepEqual(dataOf(await knock(host.api, answer)), { passed: true })
    assert.deepEqual(refusalOf(await knock(host.api, answer)), invalid)
  })

  it('takes a verified challenge although the solution is sent again', async () => {
    const challengeId = await newChallenge(host.api)
    await verify(host.api, { challenge_id: challengeId })
    assert.deepEqual(dataOf(await knock(host.api, { challengeId, solution: rightWord })), { passed: true })
    assert.deepEqual(await verify(host.api, { challenge_id: challengeId }), { valid: false })
  })

  for (const way of ['verified', 'with its solution'] as const) {
    it(`lets one of fifty pass that bring the same challenge, ${way}`, async () => {
      const challengeId = await newChallenge(host.api)
      if (way === 'verified') await verify(host.api, { challenge_id: challengeId })
      const answer = way === 'verified' ? { challengeId } : { challengeId, solution: rightWord }
      const answers = await Promise.all(Array.from({ length: 50 }, () => knock(host.api, answer)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(49).fill(400)])
    })
  }

  it('keeps a challenge that nobody solved yet', async () => {
    const challengeId = await newChallenge(host.api)
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId })), invalid)
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId, solution: 'sorry' })), invalid)
    assert.deepEqual(dataOf(await knock(host.api, { challengeId, solution: rightWord })), { passed: true })
  })

  it('leaves a challenge alone that is not needed', async () => {
    const answer = { challengeId: await newChallenge(host.api), solution: rightWord }
    assert.equal((await knock(host.api, answer, { failures: 0 })).status, 200)
    assert.equal((await knock(host.api, answer)).status, 200)
  })

  const otherUses = [
    { tenantId: 7 },
    { action: 'register' },
    { endpoint: 'tenant' },
    { tenantId: 0, endpoint: 'admin' },
    { tenantId: 0 },
  ]
  for (const use of otherUses) {
    it(`refuses a challenge that was made for something else: ${JSON.stringify(use)}`, async () => {
      const verified = await newChallenge(host.api)
      await verify(host.api, { challenge_id: verified })
      const open = await newChallenge(host.api)
      for (const answer of [{ challengeId: verified }, { challengeId: open, solution: rightWord }]) {
        assert.deepEqual(refusalOf(await knock(host.api, answer, use)), invalid)
      }
    })
  }

  it('takes from a page of the platform’s host what is as hard as the tenant asks', async () => {
    const solved = async (body: object, at: string): Promise<object> => ({
      ...{ challengeId: await newChallenge(host.api, body, at), solution: rightWord },
    })
    assert.equal((await knock(host.api, await solved({}, platformHost))).status, 200)
    assert.equal((await knock(host.api, await solved({ tenant_code: 't5' }, platformHost))).status, 200)
    await configureTenant(host.api, { captcha_difficulty: 'hard' })
    const easier = await knock(host.api, await solved({}, platformHost))
    const asHard = await knock(host.api, await solved({ difficulty: 'hard' }, platformHost))
    const named = await knock(host.api, await solved({ tenant_code: 't5' }, platformHost))
    await configureTenant(host.api, { captcha_difficulty: '' })
    assert.deepEqual([refusalOf(easier), asHard.status, named.status], [invalid, 200, 200])
  })

  it('takes nothing from a tenant’s or user’s page for the platform’s own sign-in', async () => {
    const admin = { tenantId: 0, endpoint: 'admin' }
    const forUsers = { challengeId: await newChallenge(host.api, {}, platformHost), solution: rightWord }
    assert.deepEqual(refusalOf(await knock(host.api, forUsers, admin)), invalid)
    const forAdmins = {
      challengeId: await newChallenge(host.api, { endpoint: 'admin' }, tenantHost),
      solution: rightWord,
    }
    assert.equal((await knock(host.api, forAdmins, admin)).status, 200)
  })

  it('refuses a guess at a picture, and what is no challenge', async () => {
    const { challenge_id: challengeId } = dataOf(await ask(host.api))
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId, solution: '22222' })), invalid)
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId: '*', solution: 'x' })), invalid)
  })

  itOnRedis('lets one of many pass that bring the same challenge to several hosts', async () => {
    const { databaseUrl, namespace } = host
    await using other = await startCaptchas({ databaseUrl, namespace })
    const challengeId = await newChallenge(host.api)
    const answer = { challengeId, solution: rightWord }
    const doors = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? host.api : other.api))
    const answers = await Promise.all(doors.map((api) => knock(api, answer)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })
})
