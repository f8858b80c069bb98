// @both-back-ends
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { toStableJson } from '../../../marketplace/keeper/stable-json.ts'
import type { Api, Body } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { TestIndex } from '../plugin-index/world.ts'
import { clusterSecrets, startOtherHost, type OtherHost } from './cluster-world.ts'

const plugin = '/admin/plugins/acme.twin'
const tone = 'plugin.acme.twin.tone'
const manifest = {
  admin_routes: ['ask', 'fail'].map((handler) => ({ method: 'POST', path: `/${handler}`, handler })),
  preferences: [{ key: 'tone', title: { default: 'Tone' }, schema: { enum: ['dry', 'warm'] }, default: 'dry' }],
}
const definition = `{ handlers: {
  async ask(_, { cache }) { for (let i = 0; i < 5; i += 1) await cache.get('a'); return 'asked' },
  fail() { throw new Error('broken') },
} }`

if (testRedisUrl()) {
  describe('a plugin on two hosts', () => {
    let platform: Platform
    let other: OtherHost
    let hosts: readonly [Api, Api]
    before(async () => {
      platform = await startPlatform({ env: clusterSecrets })
      other = await startOtherHost(platform)
      hosts = [platform.admin, platform.admin.at(other.url)]
      await installAndEnable(platform.admin, await packSmall('acme.twin', manifest, definition))
    })
    after(async () => {
      await other.kill()
      await platform[Symbol.asyncDispose]()
    })

    const ask = (api: Api) => api.post(`${plugin}/api/ask`)

    it('answers on both when the one that enabled it has answered', async () => {
      for (const api of hosts) assert.equal(dataOf(await ask(api)), 'asked')
    })

    it('is held on both to a limit that is changed on one', async () => {
      const group = '/admin/configs/groups/platform_plugin'
      const [here, there] = hosts
      dataOf(await there.put(group, { plugin_host_calls: 4 }))
      assert.equal(refusalOf(await ask(there)).code, 5008)
      await until(async () => (await ask(here)).status === 500)
      dataOf(await here.put(group, { values: {}, reset: ['plugin_host_calls'] }))
      dataOf(await ask(here))
      await until(async () => (await ask(there)).status === 200)
    })

    it('is counted by both together, and each failure is found from either by its trace', async () => {
      const [here, there] = hosts
      const read = async (api: Api): Promise<Body> => dataOf(await api.get(`${plugin}/metrics`))
      const before = Number((await read(here))['totals']?.['calls'])
      dataOf(await ask(here))
      dataOf(await ask(there))
      const { trace_id } = (await there.post(`${plugin}/api/fail`)).body
      for (const api of hosts) {
        await until(async () => {
          const { totals, recent_failures } = await read(api)
          const failures = recent_failures as unknown as Body[]
          return Number(totals?.['calls']) >= before + 3 && failures.some((failure) => failure['trace_id'] === trace_id)
        })
      }
    })

    it('comes from a source that one reads and both know, and is off on both when it is revoked', async () => {
      const [here, there] = hosts
      await using index = await TestIndex.create()
      const admin_routes = [{ method: 'GET', path: '/a', handler: 'a' }]
      const definition = '{ handlers: { a: () => 1 } }'
      await index.publish('acme.listed', { manifest: { admin_routes }, definition })
      await index.build()
      const url = pathToFileURL(index.directory).href
      dataOf(await here.post('/plugins/sources', { id: 'main', name: 'Main', url }), 201)
      dataOf(await here.post('/plugins/sources/main/refresh'))
      await until(async () => (await there.get('/plugins/marketplace/acme.listed')).status === 200)
      dataOf(await there.post('/plugins/install', { name: 'acme.listed' }), 201)
      dataOf(await here.post('/plugins/acme.listed/enable'))
      const why = { severity: 'critical', action: 'disable', reason: 'It leaks.' } as const
      const revoked = { format: 1, plugins: [{ plugin: 'acme.listed', versions: '*', ...why }], keys: [], licenses: [] }
      await index.write('revocations.json', toStableJson(revoked))
      await index.build()
      dataOf(await there.post('/plugins/sources/main/refresh'))
      for (const api of hosts) {
        await until(async () => (dataOf(await api.get('/plugins/acme.listed'))['status'] as unknown) === 'installed')
        assert.equal(dataOf(await api.get('/plugins/acme.listed'))['revoked']?.['action'], 'disable')
        await until(async () => (await api.get('/admin/plugins/acme.listed/api/a')).status === 404)
      }
      dataOf(await here.delete('/plugins/sources/main'))
    })

    it('has its preferences on both', async () => {
      const [here, there] = hosts
      dataOf(await here.patch('/preferences', { [tone]: 'warm' }))
      const [item] = dataOf(await there.get(`/preferences?keys=${tone}`))['items'] as unknown as Body[]
      assert.equal(item?.['value'], 'warm')
      dataOf(await there.post(`${plugin}/disable`))
      assert.equal(refusalOf(await here.delete(`/preferences/${tone}`)).code, 4040)
      dataOf(await there.post(`${plugin}/enable`))
      dataOf(await here.delete(`/preferences/${tone}`))
    })
  })
}
