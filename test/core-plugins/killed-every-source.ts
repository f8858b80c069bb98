import { dataOf } from '../support/platform.ts'
import { testRedisUrl } from '../support/cluster.ts'
import { HeldIndex } from './killed-index.ts'
import { declareRefreshes } from './killed-refresh.ts'
import type { Scenario } from './killed-scenarios.ts'
import { scenarioOf } from './killed-trial.ts'
import { declareWave, type Doomed } from './killed-wave.ts'
import { MortalPlatform } from './killed-world.ts'

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

    for (const wanted of [install, upgrade]) {
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
  const { steps, commits } = scenario
  return [
    { scenario, step: 'download', when: 'begin', held: (name) => indexOf().held(`${name}-`) },
    ...['verify', 'lock', 'operation', ...steps].map((step) => ({ scenario, step, when: 'begin' as const })),
    { scenario, step: 'lock', when: 'inside' },
    ...steps.map((step) => ({ scenario, step, when: 'inside' as const })),
    { scenario, step: steps.at(-1) ?? commits, when: 'after' },
  ]
}

function install(indexOf: () => HeldIndex): Scenario {
  return {
    ...scenarioOf('install'),
    title: 'install from an index',
    async prepare({ admin, name }) {
      await indexOf().publish(name, 'first')
      dataOf(await admin.post('/admin/plugins/sources/main/refresh'))
    },
    act: ({ admin, name }) => admin.post('/admin/plugins/install', { name }),
  }
}

function upgrade(indexOf: () => HeldIndex): Scenario {
  return {
    ...scenarioOf('upgrade'),
    title: 'upgrade from an index',
    async prepare({ admin, name }) {
      const plugin = `/admin/plugins/${name}`
      await indexOf().publish(name, 'first', 'narrow')
      dataOf(await admin.post('/admin/plugins/sources/main/refresh'))
      const { consent } = dataOf(await admin.post('/admin/plugins/install', { name, version: '1.0.0' }), 201)
      const { release_hash, diff_hash } = consent ?? {}
      dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
      dataOf(await admin.post(`${plugin}/enable`))
      dataOf(await admin.post(`${plugin}/api/put`, { text: 'kept' }))
    },
    act: ({ admin, name }) => admin.post(`/admin/plugins/${name}/upgrade`, { version: '1.1.0' }),
  }
}
