import assert from 'node:assert/strict'
import { testRedisUrl } from '../../support/cluster.ts'
import { race, requireOneWinner, type Wish } from './race.ts'
import { declareLossOfDatabase, losses } from './stores.ts'
import { scenarioOf } from './trial.ts'
import { MortalPlatform } from './world.ts'

const verbs: Readonly<Record<string, (plugin: string) => Wish>> = {
  sync: (plugin) => (admin) => admin.post(`${plugin}/sync-manifest`),
  disable: (plugin) => (admin) => admin.post(`${plugin}/disable`),
  repair: (plugin) => (admin) => admin.post(`${plugin}/repair`),
  uninstall: (plugin) => (admin) => admin.delete(plugin),
}

// Two administrators of two hosts at once, many times: `npm run test:kill`.
if (testRedisUrl() !== undefined) {
  describe('two administrators of two hosts', function () {
    this.timeout(120_000)
    let platform: MortalPlatform
    let count = 0
    before(async () => {
      platform = await MortalPlatform.start(2)
    })
    after(() => platform[Symbol.asyncDispose]())

    describe('one of which upgrades while the database goes away', () => declareLossOfDatabase(() => platform, losses))

    async function withPlugin(work: (name: string) => Promise<void>): Promise<void> {
      const name = `acme.rival${(count += 1)}`
      const admin = await platform.admin()
      await scenarioOf('sync').prepare({ admin, name, dataDir: platform.victim.dataDir })
      await work(name)
      await admin.delete(`/admin/plugins/${name}?purge=true`)
      await platform.settled(name)
    }

    for (const [one, first] of Object.entries(verbs)) {
      for (const [other, second] of Object.entries(verbs)) {
        it(`of whom one asks for ${one} and the other for ${other}: one wins`, () =>
          withPlugin(async (name) => {
            const plugin = `/admin/plugins/${name}`
            await requireOneWinner(platform, await race(platform, [first(plugin), second(plugin)]))
          }))
      }
    }

    for (const round of [1, 2, 3, 4]) {
      it(`who upgrade to the same release, for the ${round}. time: one wins`, () =>
        withPlugin(async (name) => {
          const { act } = scenarioOf('upgrade')
          const answers = await Promise.all(
            [...platform.hosts].map(async (host) =>
              act({ admin: await platform.admin(host), name, dataDir: host.dataDir }),
            ),
          )
          const [won, lost] = answers.sort((a, b) => a.status - b.status)
          assert.equal(won?.status, 200)
          // Who comes after the other has ended finds the release there.
          assert.ok(lost?.status === 409 && [4092, 4094].includes(Number(lost.body['code'])), JSON.stringify(lost))
        }))
    }
  })
}
