import assert from 'node:assert/strict'
import { rollbackSteps } from '../../../core-plugins/plugins/rollbacks/rollback-steps.ts'
import { upgradeSteps } from '../../../core-plugins/plugins/upgrades/upgrade-steps.ts'
import { isAlive } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { listLeft, type Left } from './left.ts'
import type { Scenario } from './scenarios.ts'
import type { QueryTrap, Trap } from './trap.ts'
import { endsWell, isByOther, requireNone, type Moment, type Trial } from './trial.ts'
import type { MortalPlatform } from './world.ts'

/** Something that a kill ends at a moment. */
export interface Doomed extends Moment {
  readonly scenario: Scenario
  /** Resolves once what is done to a plugin is held there, where it is not the host that holds it. */
  readonly held?: (plugin: string) => Promise<void>
}

interface DoomedTrial extends Trial, Doomed {}

/** Whole installs side by side would only wait for each other. */
const atOnce = 4
/** Steps that hold, in the middle, what every other change of a plugin waits for. */
const exclusive = new Set([
  ...['commit', 'grant', 'stop_dispatch', 'release', 'ask'],
  ...[...upgradeSteps, ...rollbackSteps].filter(isWithinTransaction).map(({ name }) => name),
])

let count = 0

function isWithinTransaction(step: object): boolean {
  return 'change' in step || 'commit' in step || 'finishChange' in step
}

/** Whether two of these cannot be held at once. */
export function isExclusive({ step, when }: Moment): boolean {
  return when === 'inside' && exclusive.has(step)
}

/** Declares tests of one kill in the middle of all of this, each on a plugin of its own; at most one is exclusive. */
export function declareWave(platformOf: () => MortalPlatform, wave: readonly Doomed[]): void {
  let baseline: Left
  let trials: readonly Trial[]
  before(async () => {
    const platform = platformOf()
    // The one before may have failed in the middle.
    if (!isAlive(platform.victim.pid)) await platform.restart()
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
  await victim.set(...trials.flatMap(trapsOf))
  const unanswered: Promise<void>[] = []
  const bring = async (trial: DoomedTrial): Promise<void> => {
    const { scenario, stage, held = (name) => victim.held(name) } = trial
    const isHeld = held(stage.name)
    const answered = scenario.act(stage).then(
      (answer) => {
        trial.isOver = isByOther(trial, platform, answer)
        if (!trial.isOver) requireNone(answer)
      },
      () => undefined,
    )
    unanswered.push(answered)
    await Promise.race([isHeld, answered])
  }
  const placeOf = (trial: DoomedTrial): number => {
    // The same query as of every other package.
    if (trial.step === 'verify') return 0
    // A server that says nothing is given up soon.
    if (trial.held) return 3
    return isExclusive(trial) ? 2 : 1
  }
  for (const place of [0, 1, 2, 3]) {
    await sideBySide(
      trials.filter((trial) => placeOf(trial) === place),
      bring,
    )
  }
  await victim.kill()
  await Promise.all(unanswered)
  await platform.ageDead()
  if (other === victim) await platform.restart()
  for (const { stage } of trials) await platform.settled(stage.name)
  if (other !== victim) await platform.restart()
  return trials
}

/** What precedes the steps shows in what is sent to the database. */
const earlierQueries: Readonly<Record<string, Pick<QueryTrap, 'query' | 'value'>>> = {
  verify: { query: 'from "plugin_publishers"', value: 'acme' },
  lock: { query: '^insert into plugin_locks' },
  operation: { query: '^insert into "plugin_operations"' },
}

function trapsOf({ scenario: { kind, steps }, stage: { name: plugin }, step, when, held }: DoomedTrial): Trap[] {
  if (held) return []
  if (steps.includes(step)) return [{ plugin, kind, step, when, halt: 'hold' }]
  const earlier = earlierQueries[step]
  assert.ok(earlier && when !== 'after', step)
  return [{ ...earlier, plugin, when, halt: 'hold' }]
}

async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
