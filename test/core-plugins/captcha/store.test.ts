// @both-back-ends
import assert from 'node:assert/strict'
import { ChallengeStore, type KeptChallenge } from '../../../core-plugins/captcha/challenge-store.ts'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const bound = { tenantId: 5, endpoint: 'user', action: 'login' } as const

function challengeFor(milliseconds: number): KeptChallenge {
  return { ...bound, provider: 'words', difficulty: 'easy', secret: 'kept', expiresAt: Date.now() + milliseconds }
}

for (const kind of storeKinds) {
  describe(`challenges kept in ${kind}`, () => {
    it('are taken by one of many', async () => {
      await using store = await openTestStore(kind)
      const challenges = new ChallengeStore(store.cache)
      const id = await challenges.keep(challengeFor(60_000))
      const taken = await Promise.all(Array.from({ length: 20 }, () => challenges.take(id)))
      assert.deepEqual(
        taken.flatMap((challenge) => challenge?.secret ?? []),
        ['kept'],
      )
    })

    it('live no longer when they are put back', async () => {
      await using store = await openTestStore(kind)
      const challenges = new ChallengeStore(store.cache)
      const challenge = challengeFor(300_000)
      const kept = () => store.cache.get<KeptChallenge>(`waiting:${id}`)
      const id = await challenges.keep(challenge)
      assert.deepEqual(await challenges.take(id), challenge)
      await challenges.putBack(id, challenge)
      assert.equal((await kept())?.secret, 'kept')
      // What is put back with a second left has that second; what is over is not put back.
      await challenges.putBack(id, { ...challenge, expiresAt: Date.now() + 1000 })
      await until(async () => (await kept()) === undefined)
      await challenges.putBack(id, { ...challenge, expiresAt: Date.now() - 1 })
      assert.equal(await challenges.take(id), undefined)
    })

    it('are apart before and after they were answered, and keep no secret after', async () => {
      await using store = await openTestStore(kind)
      const challenges = new ChallengeStore(store.cache)
      const challenge = challengeFor(60_000)
      const id = await challenges.keep(challenge)
      assert.equal(await challenges.takeVerified(id), undefined)
      await challenges.take(id)
      await challenges.keepVerified(id, challenge, 60)
      assert.equal(await challenges.take(id), undefined)
      const { secret, ...rest } = (await challenges.takeVerified(id)) ?? assert.fail('it is gone')
      assert.deepEqual([secret, rest.tenantId, rest.action], [null, 5, 'login'])
    })
  })
}
