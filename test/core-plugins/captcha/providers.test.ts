import assert from 'node:assert/strict'
import type { CaptchaProvider } from '../../../core-plugins/captcha/contract.ts'
import type { TestKernel } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import {
  ask,
  configure,
  knock,
  newChallenge,
  providerPlugin,
  rightWord,
  startCaptchas,
  verify,
  wordProvider,
  words,
} from './world.ts'

const failure = { status: 502, code: 5026, reason: 'captcha_provider_error' }
const unknown = { status: 422, code: 4220, reason: 'captcha_provider_unknown' }
const name = 'acme.other'

describe('a captcha that a plugin brings', () => {
  let host: TestKernel

  beforeEach(async () => {
    host = await startCaptchas()
  })
  afterEach(() => host[Symbol.asyncDispose]())

  const enable = (more: Partial<CaptchaProvider>): Promise<void> =>
    host.kernel.enable(providerPlugin(name, wordProvider({ code: 'other', plugin: name, ...more })))

  it('is gone with its plugin, at once, with all that it was asked', async () => {
    await configure(host.api, { captcha_provider: 'words' })
    const open = await newChallenge(host.api)
    const solved = await newChallenge(host.api)
    await verify(host.api, { challenge_id: solved })
    await host.kernel.disable(words.name)
    assert.deepEqual(refusalOf(await ask(host.api, { provider_code: 'words' })), unknown)
    assert.equal(dataOf(await ask(host.api))['provider_code'], 'image')
    assert.deepEqual(await verify(host.api, { challenge_id: open }), { valid: false })
    assert.equal((await knock(host.api, { challengeId: solved })).status, 400)
  })

  it('serves those who use the plugin', async () => {
    await enable({ isOffered: (tenantId) => Promise.resolve(tenantId === 5) })
    await configure(host.api, { captcha_provider: 'other' })
    assert.equal(dataOf(await ask(host.api, { provider_code: 'other' }))['provider_code'], 'other')
    assert.deepEqual(refusalOf(await ask(host.api, { provider_code: 'other' }, 't7.localhost')), unknown)
    assert.equal(dataOf(await ask(host.api, {}, 't5.localhost'))['provider_code'], 'other')
    assert.equal(dataOf(await ask(host.api, {}, 't7.localhost'))['provider_code'], 'image')
  })

  it('does not count for a tenant that stopped using the plugin', async () => {
    let isUsed = true
    await enable({ isOffered: () => Promise.resolve(isUsed) })
    const challengeId = await newChallenge(host.api, { provider_code: 'other' })
    isUsed = false
    assert.equal((await knock(host.api, { challengeId, solution: rightWord })).status, 400)
  })

  it('that fails is told so, and the challenge waits for another try', async () => {
    let isFailing = true
    await enable({
      challenge: (asked) => (isFailing ? Promise.reject(new Error('broken')) : wordProvider().challenge(asked)),
      verify: (asked) => (isFailing ? Promise.reject(new Error('broken')) : wordProvider().verify(asked)),
    })
    const other = { provider_code: 'other' }
    assert.deepEqual(refusalOf(await ask(host.api, other)), failure)
    isFailing = false
    const challenge_id = await newChallenge(host.api, other)
    isFailing = true
    const path = '/api/public/captcha/verify'
    const at = { host: 't5.localhost' }
    assert.deepEqual(refusalOf(await host.api.post(path, { ...other, challenge_id, solution: 'x' }, at)), failure)
    assert.deepEqual(refusalOf(await knock(host.api, { challengeId: challenge_id, solution: 'x' })), failure)
    isFailing = false
    assert.deepEqual(await verify(host.api, { ...other, challenge_id }), { valid: true, score: 0.9 })
  })

  it('that answers nonsense failed', async () => {
    const nonsense: readonly unknown[] = [
      undefined,
      null,
      'yes',
      { valid: 'true' },
      { valid: 1 },
      { valid: true, score: 'high' },
    ]
    const other = { provider_code: 'other' }
    for (const verdict of nonsense) {
      // After three failures it would not be asked.
      await enable({ verify: () => Promise.resolve(verdict as { valid: boolean }) })
      const challengeId = await newChallenge(host.api, other)
      const answer = await knock(host.api, { challengeId, solution: 'x' })
      assert.deepEqual(refusalOf(answer), failure, JSON.stringify(verdict))
      await host.kernel.disable(name)
    }
  })

  it('that makes nonsense failed', async () => {
    const nonsense: readonly unknown[] = [
      undefined,
      {},
      { challenge: 'x' },
      { secret: 'x' },
      { challenge: 'x'.repeat(70_000), secret: 1 },
    ]
    for (const made of nonsense) {
      await enable({ challenge: () => Promise.resolve(made as { challenge: unknown; secret: unknown }) })
      const answer = await ask(host.api, { provider_code: 'other' })
      assert.deepEqual(refusalOf(answer), failure, JSON.stringify(made)?.slice(0, 40))
      await host.kernel.disable(name)
    }
  })

  it('that makes challenges and judges none gives way to the image, where it failed alone', async () => {
    await enable({ verify: () => Promise.resolve({ valid: 'yes' } as never) })
    await configure(host.api, { captcha_provider: 'other' })
    for (let time = 0; time < 3; time += 1) {
      const challengeId = await newChallenge(host.api, { provider_code: 'other' })
      assert.deepEqual(refusalOf(await knock(host.api, { challengeId, solution: 'x' })), failure)
    }
    assert.equal(dataOf(await ask(host.api))['provider_code'], 'image')
    assert.equal(dataOf(await ask(host.api, {}, 'localhost'))['provider_code'], 'other')
  })

  it('takes no code that is taken', async () => {
    for (const code of ['image', 'words']) {
      await assert.rejects(enable({ code }), (error: { code?: number }) => error.code === 4091)
    }
    assert.equal(dataOf(await ask(host.api))['provider_code'], 'image')
  })
})
