import { testRedisUrl } from '../../support/cluster.ts'
import { HeldIndex } from './index.ts'
import { declareRefreshes } from './refresh.ts'
import type { Scenario } from './scenarios.ts'
import { sourceScenarios } from './source-scenarios.ts'
import { declareWave, type Doomed } from './wave.ts'
import { MortalPlatform } from './world.ts'

// What comes from an index, killed at every moment: `npm run test:kill`.
for (const hosts of testRedisUrl() === undefined ? ([1] as const) : ([1, 2] as const)) {
  describe(`${hosts === 1 ? 'one host' : 'one of two hosts'} with an index that is killed`, function () {
    this.timeout(300_000)
    let index: HeldIndex
    let platform: MortalPlatform
    before(async () => {
      index = await HeldIndex.start()
      platform = await MortalPlatform.start(hosts, { env: { EGRESS_ALLOW_PRIVATE: index.host } })
      await index.addTo(await platform.admin(), 'main')
    })
    after(async () => {
      await platform[Symbol.asyncDispose]()
      await index[Symbol.asyncDispose]()
    })

    for (const wanted of sourceScenarios) {
      const scenario = wanted(() => index)
      describe(`within "${scenario.title}"`, () =>
        declareWave(
          () => platform,
          momentsOf(scenario, () => index),
        ))
    }
    describe('within the reading of sources', () => declareRefreshes(() => ({ platform, index })))
  })
}

function momentsOf(scenario: Scenario, indexOf: () => HeldIndex): readonly Doomed[] {
  const { steps, commits, kind } = scenario
  const within = [
    ...steps.map((step) => ({ scenario, step, when: 'begin' as const })),
    ...steps.map((step) => ({ scenario, step, when: 'inside' as const })),
    { scenario, step: steps.at(-1) ?? commits, when: 'after' as const },
  ]
  // What a rollback fetches comes as steps of it.
  if (kind === 'rollback') return within
  return [
    { scenario, step: 'download', when: 'begin', held: (name) => indexOf().held(`${name}-`) },
    ...['verify', 'lock', 'operation'].map((step) => ({ scenario, step, when: 'begin' as const })),
    { scenario, step: 'lock', when: 'inside' },
    ...within,
  ]
}
