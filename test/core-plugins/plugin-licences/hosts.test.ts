// @both-back-ends
import assert from 'node:assert/strict'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import {
  activate,
  createTenants,
  installLicensed,
  licenceOf,
  age,
  startLicenceWorld,
  type LicenceWorld,
} from './world.ts'
import { clusterSecrets, startOtherHost, type OtherHost } from '../plugins/cluster-world.ts'

const unlicensed = { status: 403, code: 4038, reason: 'license_required' }
const save = '/tenant/plugins/acme.paid/api/save'

if (testRedisUrl()) {
  describe('licences on two hosts', () => {
    let platform: Platform
    let world: LicenceWorld
    let other: OtherHost
    before(async () => {
      platform = await startPlatform({ env: clusterSecrets })
      world = await startLicenceWorld(platform)
      other = await startOtherHost(platform)
    })
    after(async () => {
      await other.kill()
      await platform[Symbol.asyncDispose]()
    })

    it('hold on both as soon as one answers, end on both, and their end is told once', async () => {
      const [one] = await createTenants(world.admin, ['one'])
      assert.ok(one)
      await installLicensed(world, 'acme.paid', [one])
      const hosts = [one.owner, one.owner.at(other.url)]
      for (const owner of hosts) assert.deepEqual(refusalOf(await owner.post(save)), unlicensed)
      dataOf(await activate(world, licenceOf({ tenants: [one.id] })))
      for (const owner of hosts) assert.equal(dataOf(await owner.post(save)), 'saved')
      await age(world, 'acme.paid', 3601, one)
      await until(async () =>
        (await Promise.all(hosts.map((owner) => owner.post(save)))).every(({ status }) => status === 403),
      )
      const told = async () => {
        const { items } = dataOf(await world.admin.get('/notifications?page_size=100')) as unknown as {
          items: { title: string }[]
        }
        return items.map(({ title }) => title).filter((title) => title.includes('is over'))
      }
      await until(async () => (await told()).length > 0)
      const { state } = dataOf(await world.admin.at(other.url).get('/plugins/acme.paid/license'))
      assert.equal(state, 'expired')
      assert.equal((await told()).length, 1)
      dataOf(await world.admin.at(other.url).delete('/plugins/acme.paid/license'))
      assert.deepEqual(refusalOf(await one.owner.post(save)).code, 4038)
    })
  })
}
