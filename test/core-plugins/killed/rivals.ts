import assert from 'node:assert/strict'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { whilePaused } from './paused.ts'
import { race, requireOneWinner, type Wish } from './race.ts'
import { scenarioOf } from './trial.ts'
import type { MortalPlatform } from './world.ts'

const name = 'acme.rivals'
const plugin = `/admin/plugins/${name}`

/** Declares tests of administrators of two hosts who are at one plugin at once. */
export function declareRivals(platformOf: () => MortalPlatform): void {
  const ask =
    (verb: string): Wish =>
    (admin) =>
      admin.post(`${plugin}/${verb}`)

  before(async () => {
    const platform = platformOf()
    const admin = await platform.admin()
    await scenarioOf('sync').prepare({ admin, name, dataDir: platform.victim.dataDir })
  })
  after(async () => void dataOf(await (await platformOf().admin()).delete(`${plugin}?purge=true`)))

  it('do one thing at a time: one wins, the others learn who is at it', async () => {
    const platform = platformOf()
    await requireOneWinner(platform, await race(platform, [ask('sync-manifest'), ask('disable')]))
    dataOf(await ask('enable')(await platform.admin()))
    await requireOneWinner(platform, await race(platform, Array<Wish>(10).fill(ask('sync-manifest'))))
  })

  it('find a host that slept through its lock unable to write anything more', async () => {
    const platform = platformOf()
    const asleep = { name, title: 'upgrade of the schema', step: 'switch', when: 'begin' } as const
    const answer = await whilePaused(platform, asleep, async () => {
      await platform.ageDead()
      dataOf(await ask('sync-manifest')(await platform.admin(platform.other)))
    })
    // Not that another host has it, but what that made of it.
    assert.deepEqual(refusalOf(answer), { status: 503, code: 5030, reason: 'plugin_operation_interrupted' })
    await platform.settled(name)
    const states = await platform.db('plugin_operations').where({ plugin: name, kind: 'upgrade' }).pluck('state')
    assert.deepEqual(states, ['aborted'])
    for (const host of platform.hosts) {
      const admin = await platform.admin(host)
      await until(async () => (await admin.get(`${plugin}/api/version`)).status === 200)
      assert.deepEqual(dataOf(await admin.get(`${plugin}/api/version`)), { version: '1.0.0' })
    }
  })
}
