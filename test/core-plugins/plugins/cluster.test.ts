// @both-back-ends
import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { clusterSecrets, packWitness, startOtherHost, type OtherHost } from './cluster-world.ts'
import { makeDue, scheduleOf } from '../plugin-schedules/schedules-world.ts'
import { disableWithUsers, enableAgain } from '../../support/with-users.ts'

interface Seen {
  readonly what: string
  readonly run_id: string
  readonly attempt: number
}

if (testRedisUrl()) {
  describe('plugins on two hosts', () => {
    let platform: Platform
    let other: OtherHost
    let here: Api
    let there: Api
    const api = '/admin/plugins/acme.witness/api'

    before(async () => {
      platform = await startPlatform({ env: clusterSecrets })
      here = platform.admin
      await installAndEnable(here, await packWitness())
      other = await startOtherHost(platform)
      there = here.at(other.url)
      await until(async () => (await there.get(`${api}/seen`)).status === 200)
    })
    after(async () => {
      await other.kill()
      await platform[Symbol.asyncDispose]()
    })

    const seen = async () => dataOf(await here.get(`${api}/seen`))['items'] as unknown as Seen[]
    const table = (name: string) => platform.host.kernel.database.knex(name).queryContext({ tenant: 'all' })

    it('run a schedule once, whichever of them', async () => {
      await until(async () => (await scheduleOf(here, 'acme.witness', 'q7')).next_run_at !== null)
      await Promise.all(Array.from({ length: 8 }, (_, index) => makeDue(platform, `q${index}`, 0)))
      await until(async () => (await table('plugin_schedule_runs')).length === 8)
      const runs = (await seen()).map(({ what }) => what)
      assert.deepEqual(
        runs.sort(),
        Array.from({ length: 8 }, (_, index) => `q${index}`),
      )
    })

    it('count one rate together', async () => {
      const texts = Array.from({ length: 40 }, () => 'much')
      const manifest = {
        capabilities: ['events'],
        reasons: { events: 'Talks.' },
        events: { publish: ['acme.loud.said'], subscribe: [] },
        admin_routes: [{ method: 'POST', path: '/say', handler: 'say' }],
      }
      const say = `async ({ body }, { events }) => { for (const text of body.texts) await events.publish('acme.loud.said', text) }`
      await installAndEnable(here, await packSmall('acme.loud', manifest, `{ handlers: { say: ${say} } }`))
      const loud = '/admin/plugins/acme.loud/api/say'
      dataOf(await here.post(loud, { texts }))
      dataOf(await there.post(loud, { texts }))
      assert.deepEqual(refusalOf(await there.post(loud, { texts })).code, 4299)
    })

    it('pause a plugin on both when it fails on one', async () => {
      const broken = { admin_routes: [{ method: 'POST', path: '/fail', handler: 'fail' }] }
      const definition = `{ handlers: { fail() { throw new Error('broken') } } }`
      await installAndEnable(here, await packSmall('acme.broken', broken, definition))
      const path = '/admin/plugins/acme.broken/api/fail'
      assert.equal((await there.post(path)).status, 500)
      await until(async () => (await here.post(path)).status === 503)
      await until(async () => (await there.post(path)).status === 503, 1_000)
      const { status, body } = await there.post(path)
      assert.deepEqual([status, body['code'], body['details']?.['cause']], [503, 5035, 'breaker_open'])
    })

    describe('of which one is killed in the middle of a run and of an event', () => {
      before(async () => {
        await until(async () => (await table('plugin_events')).length === 0)
        // From here on only the other host runs anything.
        const disabled = await disableWithUsers(platform.host.kernel, 'plugins')
        await makeDue(platform, 'slow', 0)
        dataOf(await there.post(`${api}/say`, { texts: ['slow', 'second', 'third'] }))
        const watch = async () => dataOf(await there.get(`${api}/seen`))['items'] as unknown as Seen[]
        await until(async () => (await watch()).filter(({ what }) => what === 'slow').length === 2)
        await other.kill()
        // As if the time had passed after which a silent host counts as dead.
        await table('jobs').whereNotNull('leased_until').update({ leased_until: new Date() })
        await enableAgain(platform.host.kernel, disabled)
      })

      it('the run is repeated under its id', async () => {
        const last = async () => (await scheduleOf(here, 'acme.witness', 'slow')).last_run
        await until(async () => (await last()) !== null)
        const runs = (await seen()).filter(({ what, run_id: id }) => what === 'slow' && id.includes('-'))
        const { outcome, run_id: id } = (await last()) ?? {}
        assert.deepEqual(
          [outcome, runs.map(({ attempt, run_id: run }) => [attempt, run])],
          ['succeeded', [1, 2].map((n) => [n, id])],
        )
      })

      it('the event is repeated under its id, and those behind it keep their order', async () => {
        await until(async () => (await seen()).some(({ what }) => what === 'third'))
        const events = (await seen()).filter(({ run_id: id }) => !id.includes('-'))
        assert.deepEqual(
          events.map(({ what, attempt }) => [what, attempt]),
          [['slow', 1]].concat([
            ['slow', 2],
            ['second', 1],
            ['third', 1],
          ]),
        )
        assert.equal(events[0]?.run_id, events[1]?.run_id)
      })
    })
  })
}
