import { testRedisUrl } from '../support/cluster.ts'
import { killAt, scenarioOf } from './killed-trial.ts'
import type { Trap } from './killed-trap.ts'
import { MortalPlatform } from './killed-world.ts'

type Moment = readonly [title: string, step: string, when: Trap['when']]

// The moments that matter most; every other one is tried by `npm run test:kill`.
const alone: readonly Moment[] = [
  ['upgrade of the schema', 'switch', 'inside'],
  ['rollback of the schema', 'commit', 'inside'],
  ['uninstall', 'tables', 'begin'],
]
const together: readonly Moment[] = [['upgrade of the schema', 'switch', 'inside']]

describe('a host that is killed', function () {
  this.timeout(120_000)
  declare('and starts again', 1, alone)
  if (testRedisUrl() !== undefined) declare('while another lives', 2, together)
})

function declare(title: string, hosts: 1 | 2, moments: readonly Moment[]): void {
  describe(title, () => {
    let platform: MortalPlatform
    before(async () => {
      platform = await MortalPlatform.start(hosts)
    })
    after(() => platform[Symbol.asyncDispose]())

    for (const [name, step, when] of moments) {
      it(`leaves the old or the new and nothing else: ${name}, ${when} of ${step}`, () =>
        killAt(platform, scenarioOf(name), { step, when }))
    }
  })
}
