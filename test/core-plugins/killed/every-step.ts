import { testRedisUrl } from '../../support/cluster.ts'
import { scenarios } from './scenarios.ts'
import { declareWave, isExclusive, type Doomed } from './wave.ts'
import { MortalPlatform } from './world.ts'

const width = 12

// Every kind of operation, killed at every moment of every step: `npm run test:kill`.
const isShared = testRedisUrl() !== undefined
if (!isShared) console.log('Two hosts need a Redis: set STOA_TEST_REDIS_URL. One host is killed without.')
for (const hosts of isShared ? ([1, 2] as const) : ([1] as const)) {
  describe(`${hosts === 1 ? 'one host that is killed' : 'one of two hosts that is killed'}`, function () {
    this.timeout(300_000)
    let platform: MortalPlatform
    before(async () => {
      platform = await MortalPlatform.start(hosts)
    })
    after(() => platform[Symbol.asyncDispose]())

    for (const [index, wave] of wavesOf(scenarios.flatMap(momentsOf)).entries()) {
      describe(`for the ${index + 1}. time, within`, () => declareWave(() => platform, wave))
    }
  })
}

/** After one step is before the next one; what precedes the steps is the same for all kinds. */
function momentsOf(scenario: (typeof scenarios)[number]): readonly Doomed[] {
  const { steps, title, commits } = scenario
  const earlier = [
    { scenario, step: 'lock', when: 'begin' },
    { scenario, step: 'lock', when: 'inside' },
    { scenario, step: 'operation', when: 'begin' },
  ] as const
  return [
    ...(title === 'install' || title === 'upgrade' ? earlier : []),
    ...steps.map((step) => ({ scenario, step, when: 'begin' as const })),
    ...steps.map((step) => ({ scenario, step, when: 'inside' as const })),
    { scenario, step: steps.at(-1) ?? commits, when: 'after' },
  ]
}

/** As few kills as it takes: of those that cannot be held at once there is one in each. */
function wavesOf(all: readonly Doomed[]): readonly (readonly Doomed[])[] {
  const exclusive = all.filter(isExclusive)
  const others = all.filter((doomed) => !isExclusive(doomed))
  const count = Math.max(exclusive.length, Math.ceil(all.length / width))
  return Array.from({ length: count }, (_, index) => [
    ...exclusive.slice(index, index + 1),
    ...others.filter((_other, at) => at % count === index),
  ])
}
