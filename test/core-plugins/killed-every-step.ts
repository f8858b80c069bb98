import assert from 'node:assert/strict'
import { testRedisUrl } from '../support/cluster.ts'
import { scenarios } from './killed-scenarios.ts'
import { killAt, rehearse } from './killed-trial.ts'
import { MortalPlatform } from './killed-world.ts'

/** After one step is before the next one. */
const ALL_MOMENTS = ['begin', 'inside', 'after'] as const

// Every kind of operation, killed at every moment of every step: `npm run test:kill`.
for (const hosts of testRedisUrl() === undefined ? ([1] as const) : ([1, 2] as const)) {
  describe(`of ${hosts === 1 ? 'one host, it' : 'two hosts, one'} that is killed`, function () {
    this.timeout(120_000)
    let platform: MortalPlatform
    before(async () => {
      platform = await MortalPlatform.start(hosts)
    })
    after(() => platform[Symbol.asyncDispose]())

    for (const scenario of scenarios) {
      describe(`within "${scenario.title}"`, () => {
        it('which consists of these steps', async () => {
          assert.deepEqual(await rehearse(platform, scenario), scenario.steps)
        })
        for (const step of scenario.steps) {
          const moments = step === scenario.steps.at(-1) ? ALL_MOMENTS : ALL_MOMENTS.slice(0, -1)
          for (const when of moments) {
            it(`at ${step}, ${when}`, () => killAt(platform, scenario, { step, when }))
          }
        }
      })
    }
  })
}
