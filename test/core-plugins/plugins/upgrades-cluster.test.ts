// @both-back-ends
import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { clusterSecrets, startOtherHost, type OtherHost } from './cluster-world.ts'
import { installFirst, packRelease, upgrade, versionOf } from './upgrades-world.ts'

if (testRedisUrl()) {
  describe('upgrades on two hosts', () => {
    let platform: Platform
    let other: OtherHost
    let here: Api
    let there: Api

    before(async () => {
      platform = await startPlatform({ env: clusterSecrets })
      here = platform.admin
      await installFirst(here, 'acme.twin')
      other = await startOtherHost(platform)
      there = here.at(other.url)
      await until(async () => (await there.get('/admin/plugins/acme.twin/api/version')).status === 200)
    })
    after(async () => {
      await other.kill()
      await platform[Symbol.asyncDispose]()
    })

    it('are done when both run the new release, and fail no request of either', async () => {
      const next = await packRelease('acme.twin', '1.1.0')
      const statuses: number[] = []
      let isOver = false
      const hammer = async (api: Api) => {
        while (!isOver) statuses.push((await api.get('/admin/plugins/acme.twin/api/version')).status)
      }
      const hammers = [here, there, here, there].map(hammer)
      dataOf(await upgrade(here, 'acme.twin', next))
      assert.deepEqual([await versionOf(here, 'acme.twin'), await versionOf(there, 'acme.twin')], ['1.1.0', '1.1.0'])
      isOver = true
      await Promise.all(hammers)
      assert.deepEqual([...new Set(statuses)], [200])
    })

    it('are one at a time, whichever host they are asked of', async () => {
      const [one, two] = await Promise.all(['1.2.0', '1.3.0'].map((version) => packRelease('acme.twin', version)))
      assert.ok(one && two)
      const answers = await Promise.all([upgrade(here, 'acme.twin', one), upgrade(there, 'acme.twin', two)])
      const codes = answers.map(({ status, body }) => (status === 200 ? 200 : Number(body['code'])))
      assert.ok(codes.includes(200) && codes.includes(4092), String(codes))
    })
  })
}
