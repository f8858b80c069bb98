import assert from 'node:assert/strict'
import type { TestKernel } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { ask, configure, newChallenge, startCaptchas, verify } from './world.ts'

const wrong = { solution: 'sorry' }

describe('an answer to a captcha', () => {
  let host: TestKernel

  before(async () => {
    host = await startCaptchas()
    await configure(host.api, { captcha_challenge_limit: 6000, captcha_verify_limit: 6000 })
  })
  after(() => host[Symbol.asyncDispose]())

  it('is good with what the provider says of it', async () => {
    const challenge_id = await newChallenge(host.api)
    assert.deepEqual(await verify(host.api, { challenge_id }), { valid: true, score: 0.9 })
  })

  it('counts once', async () => {
    const challenge_id = await newChallenge(host.api)
    await verify(host.api, { challenge_id })
    assert.deepEqual(await verify(host.api, { challenge_id }), { valid: false })
  })

  it('counts once when fifty come at the same time', async () => {
    const challenge_id = await newChallenge(host.api)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(host.api, { challenge_id })))
    assert.equal(answers.filter(({ valid }) => valid).length, 1)
  })

  it('may be tried again where it cannot be guessed', async () => {
    const challenge_id = await newChallenge(host.api)
    assert.deepEqual(await verify(host.api, { challenge_id, ...wrong }), { valid: false })
    assert.deepEqual(await verify(host.api, { challenge_id }), { valid: true, score: 0.9 })
  })

  it('uses the challenge up where it can be guessed', async () => {
    const once = { provider_code: 'once' }
    const challenge_id = await newChallenge(host.api, once)
    assert.deepEqual(await verify(host.api, { challenge_id, ...once, ...wrong }), { valid: false })
    assert.deepEqual(await verify(host.api, { challenge_id, ...once }), { valid: false })
  })

  it('to a picture is not guessed', async () => {
    const { challenge_id } = dataOf(await ask(host.api))
    assert.deepEqual(await verify(host.api, { challenge_id, provider_code: 'image' }), { valid: false })
  })

  it('counts for nothing but what the challenge is for', async () => {
    const uses: readonly [object, string?][] = [
      [{ action: 'register' }],
      [{ endpoint: 'tenant' }],
      [{ endpoint: 'admin' }],
      [{ provider_code: 'image' }],
      [{ provider_code: 'nobody' }],
      [{ tenant_code: 't7' }],
      [{}, 't7.localhost'],
      [{}, 'localhost'],
    ]
    for (const [use, at] of uses) {
      const challenge_id = await newChallenge(host.api)
      assert.deepEqual(
        await verify(host.api, { challenge_id, ...use }, at),
        { valid: false },
        JSON.stringify([use, at]),
      )
    }
  })

  it('counts at the platform’s host for the tenant that is named', async () => {
    const tenant = { tenant_code: 't5' }
    const challenge_id = await newChallenge(host.api, tenant, 'localhost')
    assert.deepEqual(await verify(host.api, { challenge_id, ...tenant }, 'localhost'), { valid: true, score: 0.9 })
  })

  it('to a challenge nobody made is wrong', async () => {
    for (const challenge_id of ['x', 'A'.repeat(24), '*', 'verified:x', '../x']) {
      assert.deepEqual(await verify(host.api, { challenge_id }), { valid: false }, challenge_id)
    }
  })

  it('names the challenge and the solution', async () => {
    for (const body of [{}, { challenge_id: 'x' }, { solution: 'x' }, { challenge_id: 'x', solution: 5 }]) {
      const { status, code } = refusalOf(await host.api.post('/api/public/captcha/verify', body))
      assert.deepEqual({ status, code }, { status: 422, code: 4220 })
    }
  })
})
