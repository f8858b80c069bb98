import assert from 'node:assert/strict'
import type { Answer, Api } from '../support/api.ts'
import { testRedisUrl } from '../support/cluster.ts'
import { dataOf, refusalOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { whilePaused } from './killed-paused.ts'
import { scenarioOf } from './killed-trial.ts'
import { MortalPlatform } from './killed-world.ts'

const name = 'acme.rivals'
const plugin = `/admin/plugins/${name}`

if (testRedisUrl() !== undefined) {
  describe('administrators of two hosts', function () {
    this.timeout(120_000)
    let platform: MortalPlatform
    let admins: readonly [Api, Api]
    before(async () => {
      platform = await MortalPlatform.start(2)
      admins = [await platform.admin(platform.other), await platform.admin(platform.victim)]
      await scenarioOf('sync').prepare({ admin: admins[0], name, dataDir: platform.victim.dataDir })
    })
    after(() => platform[Symbol.asyncDispose]())

    /** Asks for all of it at once; the first cannot end before the others were answered. */
    async function race(paths: readonly string[]): Promise<readonly Answer[]> {
      const answers: Answer[] = []
      const asked: Promise<unknown>[] = []
      await platform.db.transaction(async (trx) => {
        await trx('plugin_desired_state').forUpdate()
        for (const [index, path] of paths.entries()) {
          const sent = admins[index % 2 === 0 ? 0 : 1].post(`${plugin}/${path}`)
          asked.push(sent.then((answer) => answers.push(answer)))
        }
        await until(() => answers.length === paths.length - 1, 20_000)
      })
      await Promise.all(asked)
      return answers
    }

    function assertOneWon(answers: readonly Answer[]): void {
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body['code']]),
        answers.map((_, index) => (index === answers.length - 1 ? [200, 0] : [409, 4092])),
      )
      for (const { body } of answers.slice(0, -1)) {
        assert.deepEqual(Object.keys(body['details'] ?? {}).sort(), ['holder', 'operation', 'started_at', 'step'])
        assert.match(body['details']?.['operation'] as unknown as string, /^(sync|disable|unknown)$/)
      }
    }

    it('do one thing at a time to a plugin: one of two wins, the other learns who is at it', async () => {
      for (const paths of [
        ['sync-manifest', 'disable'],
        ['disable', 'sync-manifest'],
        ['sync-manifest', 'sync-manifest'],
      ]) {
        assertOneWon(await race(paths))
        dataOf(await admins[0].post(`${plugin}/enable`))
      }
    })

    it('do one thing at a time to a plugin: one of ten wins', async () => {
      assertOneWon(await race(Array.from({ length: 10 }, () => 'sync-manifest')))
    })

    it('find a host that slept through its lock unable to write anything more', async () => {
      const asleep = { name, title: 'upgrade of the schema', step: 'switch', when: 'begin' } as const
      const answer = await whilePaused(platform, asleep, async () => {
        await platform.ageDead()
        dataOf(await admins[0].post(`${plugin}/sync-manifest`))
      })
      assert.deepEqual(refusalOf(answer), { status: 409, code: 4090, reason: 'plugin_operation_taken_over' })
      await platform.settled(name)
      const states = await platform.db('plugin_operations').where({ plugin: name, kind: 'upgrade' }).pluck('state')
      assert.deepEqual(states, ['aborted'])
      for (const admin of admins) {
        await until(async () => (await admin.get(`${plugin}/api/version`)).status === 200)
        assert.deepEqual(dataOf(await admin.get(`${plugin}/api/version`)), { version: '1.0.0' })
      }
    })
  })
}
