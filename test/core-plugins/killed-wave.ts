import assert from 'node:assert/strict'
import { until } from '../support/until.ts'
import { listLeft, type Left } from './killed-left.ts'
import type { Scenario } from './killed-scenarios.ts'
import type { Trap } from './killed-trap.ts'
import { endsWell, requireNone, type Moment, type Trial } from './killed-trial.ts'
import type { MortalPlatform } from './killed-world.ts'

/** Something that a kill ends at a moment. */
export interface Doomed extends Moment {
  readonly scenario: Scenario
}

/** Whole installs side by side would only wait for each other. */
const AT_ONCE = 4
/** Steps that hold, in the middle, what every other change of a plugin waits for. */
const EXCLUSIVE = new Set(['commit', 'grant', 'gate', 'switch', 'stop_dispatch', 'release', 'ask'])

let count = 0

/** Whether two of these cannot be held at once. */
export function isExclusive({ step, when }: Moment): boolean {
  return when === 'inside' && EXCLUSIVE.has(step)
}

/** Declares tests of one kill in the middle of all of this, each on a plugin of its own; at most one is exclusive. */
export function declareWave(platformOf: () => MortalPlatform, wave: readonly Doomed[]): void {
  let baseline: Left
  let trials: readonly Trial[]
  before(async () => {
    const platform = platformOf()
    baseline = await listLeft(platform.db, platform.dataDirs)
    trials = await killAll(platform, wave)
  })
  for (const [index, { scenario, step, when }] of wave.entries()) {
    it(`${scenario.title}, at ${step}, ${when}`, async () => {
      const trial = trials[index]
      assert.ok(trial)
      await endsWell(platformOf(), trial)
    })
  }
  it('and nothing is left over', async () => {
    const platform = platformOf()
    const { db, dataDirs } = platform
    // Another host deletes its files when it learns of it.
    const isClean = async () => JSON.stringify(await listLeft(db, dataDirs)) === JSON.stringify(baseline)
    await until(isClean, 5_000).catch(async () => assert.deepEqual(await listLeft(db, dataDirs), baseline))
    assert.equal((await (await platform.admin()).get('/api/public/health')).status, 200)
  })
}

/** Brings all of it to its moment, kills the host, and waits until whoever goes on has ended it all. */
async function killAll(platform: MortalPlatform, wave: readonly Doomed[]): Promise<readonly Trial[]> {
  const { victim, other } = platform
  const admin = await platform.admin(victim)
  const trials = wave.map((doomed) => ({
    ...doomed,
    stage: { admin, name: `acme.k${(count += 1)}`, dataDir: victim.dataDir },
  }))
  await sideBySide(trials, async ({ scenario, stage }) => {
    await scenario.prepare(stage)
    await platform.settled(stage.name)
  })
  await victim.set(...trials.map(trapOf))
  const unanswered: Promise<void>[] = []
  const bring = async ({ scenario, stage }: Trial): Promise<void> => {
    unanswered.push(scenario.act(stage).then(requireNone, () => undefined))
    await victim.held(stage.name)
  }
  await sideBySide(
    trials.filter((trial) => !isExclusive(trial)),
    bring,
  )
  for (const trial of trials.filter(isExclusive)) await bring(trial)
  await victim.kill()
  await Promise.all(unanswered)
  await platform.ageDead()
  if (other === victim) await platform.restart()
  for (const { stage } of trials) await platform.settled(stage.name)
  if (other !== victim) await platform.restart()
  return trials
}

function trapOf({ scenario: { kind, steps }, stage: { name: plugin }, step, when }: Trial): Trap {
  const halt = 'hold'
  if (steps.includes(step)) return { plugin, kind, step, when, halt }
  assert.ok(when !== 'after')
  return { plugin, query: `^insert into "?plugin_${step}s"? `, when, halt }
}

async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
