import { testRedisUrl } from '../support/cluster.ts'
import { scenarioOf, type Moment } from './killed-trial.ts'
import { declareWave } from './killed-wave.ts'
import { MortalPlatform } from './killed-world.ts'

// A moment of each kind; every other one is tried by `npm run test:kill`.
const moments: Readonly<Record<string, readonly [step: string, when: Moment['when']]>> = {
  install: ['load_test', 'inside'],
  consent: ['grant', 'begin'],
  enable: ['commit', 'begin'],
  disable: ['converge', 'begin'],
  sync: ['commit', 'begin'],
  'upgrade of the schema': ['switch', 'inside'],
  'rollback of the schema': ['commit', 'begin'],
  repair: ['sweep', 'begin'],
  backup: ['record', 'inside'],
  'deletion of a backup': ['objects', 'begin'],
  uninstall: ['tables', 'begin'],
  'clean-up': ['storage', 'begin'],
}
const hosts = testRedisUrl() === undefined ? 1 : 2

describe(
  hosts === 1 ? 'a host that is killed and starts again' : 'a host that is killed while another lives',
  function () {
    this.timeout(120_000)
    let platform: MortalPlatform
    before(async () => {
      platform = await MortalPlatform.start(hosts)
    })
    after(() => platform[Symbol.asyncDispose]())

    declareWave(
      () => platform,
      Object.entries(moments).map(([title, [step, when]]) => ({ scenario: scenarioOf(title), step, when })),
    )
  },
)
