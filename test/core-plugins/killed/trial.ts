import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { scenarios, type Scenario, type Seen, type Stage } from './scenarios.ts'
import type { When } from './trap.ts'
import type { MortalPlatform } from './world.ts'

/** Before an operation has a lock, before its row is written, and the steps that its kind consists of. */
export interface Moment {
  readonly step: string
  readonly when: When
}

/** Something done to a plugin of its own that a kill ended. */
export interface Trial extends Moment {
  readonly scenario: Scenario
  readonly stage: Stage
  /** It was answered before the kill: the other host had done it, as it may where whoever comes first does. */
  isOver?: boolean
}

/** The scenario of this title. */
export function scenarioOf(title: string): Scenario {
  const found = scenarios.find((scenario) => scenario.title === title)
  assert.ok(found, title)
  return found
}

/** Sees to it that what a kill ended has ended well all the same, and removes the plugin. */
export async function endsWell(platform: MortalPlatform, trial: Trial): Promise<void> {
  const { scenario, stage } = trial
  const { name } = stage
  const { before, after, kind, status } = scenario
  const isCommitted = await outcomeOf(platform, trial)
  const here = await platform.admin(platform.other)
  const isSelfHealing = healsItself(scenario)
  const seen = isCommitted || isSelfHealing ? after : before
  for (const host of platform.hosts) await untilSeen(await platform.admin(host), name, seen)
  if (!isCommitted && !isSelfHealing) {
    const answer = await scenario.act({ ...stage, admin: here })
    assert.equal(answer.status, status ?? 200, JSON.stringify(answer.body))
    await untilSeen(here, name, after)
    await platform.settled(name)
  }
  if (!isSelfHealing) {
    const { steps } = (await lastOf(platform, name, kind)) ?? { steps: [] }
    assert.deepEqual(
      steps.map(({ step }) => step),
      scenario.steps,
    )
  }
  if (isSelfHealing) await untilTold(here, `${name} was rolled back to ${scenario.after?.version}`)
  await remove(platform, name)
}

/** Whoever died, administrators hear of what nobody asked for. */
async function untilTold(admin: Api, title: string): Promise<void> {
  let titles: readonly unknown[] = []
  const isTold = async () => {
    const { items } = dataOf(await admin.get('/notifications?page_size=100')) as unknown as { items: Body[] }
    titles = items.map((item) => item['title'])
    return titles.includes(title)
  }
  await until(isTold, 30_000).catch(() => assert.fail(`nobody was told that ${title}: ${JSON.stringify(titles)}`))
}

/** Whether it counts as done: its operation says so, and is what its moment makes of it. */
async function outcomeOf(platform: MortalPlatform, { scenario, stage, step, when, isOver }: Trial): Promise<boolean> {
  const which = healsItself(scenario) ? 'asc' : 'desc'
  const operation = await lastOf(platform, stage.name, scenario.kind, which)
  if (!scenario.steps.includes(step)) {
    assert.equal(operation, undefined)
    return false
  }
  assert.ok(operation, 'it is known that something was done')
  const { state, committed, error } = operation
  assert.equal(state, committed ? (scenario.state ?? 'succeeded') : 'aborted', JSON.stringify(error))
  if (!committed) assert.ok(error, 'an operation that came to nothing says why')
  assert.equal(committed, isOver === true || isAfterCommit(scenario, { step, when }))
  return committed
}

/** What is taken back by itself is so whoever died, by another attempt. */
function healsItself({ title }: Scenario): boolean {
  return title === 'automatic rollback'
}

function isAfterCommit({ steps, commits }: Scenario, { step, when }: Moment): boolean {
  const at = steps.indexOf(step) - steps.indexOf(commits)
  if (at !== 0) return at > 0
  // An uninstall commits within its first step, before that is recorded.
  return when === 'after' || (commits === 'stop_dispatch' && when === 'inside')
}

/** Removes what is there, after which nothing may be left that was not there before. */
async function remove(platform: MortalPlatform, name: string): Promise<void> {
  const admin = await platform.admin(platform.other)
  const removed = await admin.delete(`/admin/plugins/${name}?purge=true`)
  assert.ok(removed.status === 200 || removed.body['code'] === (4046 as unknown), JSON.stringify(removed.body))
  const { items } = (await admin.get(`/admin/plugins/${name}/backups?page_size=100`)).body['data'] ?? {}
  for (const backup of (items ?? []) as unknown as Body[]) {
    dataOf(await admin.delete(`/admin/plugins/${name}/backups/${backup['name'] as unknown as string}`))
  }
  await platform.settled(name)
}

interface Operation {
  readonly state: string
  readonly committed: boolean
  readonly error: Body | null
  readonly steps: readonly { readonly step: string }[]
}

async function lastOf(
  { db }: MortalPlatform,
  plugin: string,
  kind: string,
  order: 'asc' | 'desc' = 'desc',
): Promise<Operation | undefined> {
  return db('plugin_operations').where({ plugin, kind }).orderBy('started_at', order).first<Operation | undefined>()
}

/** What a plugin is, and that it answers with what it kept when it runs. */
async function look(admin: Api, name: string): Promise<object | undefined> {
  const { status, body } = await admin.get(`/admin/plugins/${name}`)
  if (status === 404) return undefined
  const { data } = body
  const seen = { status: data?.['status'], version: data?.['version'], isAsked: data?.['pending'] !== null }
  const answer = async (path: string) => (await admin.get(`/admin/plugins/${name}/api/${path}`)).body
  const runs = await answer('version')
  if ((seen.status as unknown) !== 'enabled') return { ...seen, code: runs['code'] }
  return { ...seen, runs: runs['data']?.['version'], notes: (await answer('notes'))['data'] }
}

function expected(seen: Seen | undefined): object | undefined {
  if (!seen) return undefined
  const plain = { status: seen.status, version: seen.version, isAsked: seen.isAsked ?? false }
  if (seen.status !== 'enabled') return { ...plain, code: 4044 }
  return { ...plain, runs: seen.version, notes: { notes: ['kept'], kept: Buffer.from('kept').toString('base64') } }
}

async function untilSeen(admin: Api, name: string, seen: Seen | undefined): Promise<void> {
  const wanted = expected(seen)
  let found: object | undefined
  const isSeen = async () => {
    found = await look(admin, name)
    // An enabled plugin of which nothing was asked yet keeps nothing.
    if (found && 'notes' in found && JSON.stringify(found.notes) === '{"notes":[],"kept":null}') {
      found = { ...found, notes: (wanted as { notes: object }).notes }
    }
    try {
      assert.deepEqual(found, wanted)
      return true
    } catch {
      return false
    }
  }
  await until(isSeen, 10_000).catch(() => assert.deepEqual(found, wanted))
}

/** Whether it came to its end before the kill because another host did it, which only what is taken back by itself may. */
export function isByOther({ scenario }: Trial, { victim, other }: MortalPlatform, { status }: Answer): boolean {
  return healsItself(scenario) && victim !== other && status === scenario.status
}

/** An answer that came before the kill, which only one that takes long may be. */
export function requireNone({ status, body }: Answer): void {
  assert.equal(status, 202, `it was answered ${JSON.stringify(body)}`)
}
