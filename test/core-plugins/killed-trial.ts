import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { listLeft, type Left } from './killed-left.ts'
import { scenarios, type Scenario, type Seen } from './killed-scenarios.ts'
import type { Trap } from './killed-trap.ts'
import type { MortalPlatform } from './killed-world.ts'

let count = 0

/** The scenario of this title. */
export function scenarioOf(title: string): Scenario {
  const found = scenarios.find((scenario) => scenario.title === title)
  assert.ok(found, title)
  return found
}

/** Does something to a plugin once, unharmed, and answers its steps. */
export async function rehearse(platform: MortalPlatform, scenario: Scenario): Promise<readonly string[]> {
  const name = `acme.r${(count += 1)}`
  const baseline = await listLeft(platform.db, platform.dataDirs)
  const stage = { admin: await platform.admin(), name, dataDir: platform.victim.dataDir }
  await scenario.prepare(stage)
  dataOrFault(await scenario.act(stage), scenario.status)
  await untilSeen(stage.admin, name, scenario.after)
  await platform.settled(name)
  const row = await lastOf(platform, name, scenario.kind)
  await remove(platform, name, baseline)
  return row.steps.map(({ step }) => step)
}

/** Kills a host at a moment of something that is done to a plugin, and sees to it that it ends well all the same. */
export async function killAt(
  platform: MortalPlatform,
  scenario: Scenario,
  { step, when }: Pick<Trap, 'step' | 'when'>,
): Promise<void> {
  const { kind, before, after } = scenario
  const name = `acme.k${(count += 1)}`
  const { victim, other } = platform
  const baseline = await listLeft(platform.db, platform.dataDirs)
  const stage = { admin: await platform.admin(victim), name, dataDir: victim.dataDir }
  await scenario.prepare(stage)
  await platform.settled(name)
  await victim.set({ plugin: name, kind, step, when, signal: 'SIGKILL' })
  const sent = scenario.act(stage).then(
    ({ body }) => void assert.fail(`it was answered ${JSON.stringify(body)}`),
    () => undefined,
  )
  await Promise.all([victim.ended, sent])
  await platform.ageDead(name)
  if (other === victim) await platform.restart()
  await platform.settled(name)
  const { state, committed, error } = await lastOf(platform, name, kind)
  assert.equal(state, committed ? 'succeeded' : 'aborted', JSON.stringify(error))
  if (!committed) assert.ok(error, 'an operation that came to nothing says why')
  assert.equal(committed, isCommitted(scenario, { step, when }))
  const here = await platform.admin(platform.other)
  // What is taken back by itself is so whoever died.
  const isSelfHealing = scenario.title === 'automatic rollback'
  const seen = committed || isSelfHealing ? after : before
  await untilSeen(here, name, seen)
  if (other !== victim) await platform.restart()
  const there = await platform.admin(platform.victim)
  await untilSeen(there, name, seen)
  assert.equal((await there.get('/api/public/health')).status, 200)
  if (!committed && !isSelfHealing) {
    dataOrFault(await scenario.act({ ...stage, admin: here }), scenario.status)
    await untilSeen(here, name, after)
    await platform.settled(name)
  }
  await remove(platform, name, baseline)
}

function isCommitted({ steps, commits }: Scenario, { step, when }: Pick<Trap, 'step' | 'when'>): boolean {
  const at = steps.indexOf(step) - steps.indexOf(commits)
  if (at !== 0) return at > 0
  // An uninstall commits within its first step, before that is recorded.
  return when === 'after' || (commits === 'stop_dispatch' && when === 'inside')
}

/** Removes what is there, after which nothing may be left that was not there before. */
async function remove(platform: MortalPlatform, name: string, baseline: Left): Promise<void> {
  const admin = await platform.admin(platform.other)
  const removed = await admin.delete(`/admin/plugins/${name}?purge=true`)
  assert.ok(removed.status === 200 || removed.body['code'] === (4046 as unknown), JSON.stringify(removed.body))
  const { items } = (await admin.get(`/admin/plugins/${name}/backups?page_size=100`)).body['data'] ?? {}
  for (const backup of (items ?? []) as unknown as Body[]) {
    dataOf(await admin.delete(`/admin/plugins/${name}/backups/${backup['name'] as unknown as string}`))
  }
  await platform.settled(name)
  // Another host deletes its files when it learns of it.
  const isClean = async () =>
    JSON.stringify(await listLeft(platform.db, platform.dataDirs)) === JSON.stringify(baseline)
  await until(isClean, 5_000).catch(async () => {
    assert.deepEqual(await listLeft(platform.db, platform.dataDirs), baseline)
  })
}

interface Operation {
  readonly state: string
  readonly committed: boolean
  readonly error: Body | null
  readonly steps: readonly { readonly step: string }[]
}

async function lastOf({ db }: MortalPlatform, plugin: string, kind: string): Promise<Operation> {
  const row = await db('plugin_operations').where({ plugin, kind }).orderBy('started_at', 'desc').first<Operation>()
  assert.ok(row, 'it is known that something was done')
  return row
}

function dataOrFault(answer: Answer, status = 200): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
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
