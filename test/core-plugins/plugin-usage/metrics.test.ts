// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateFernetKey } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { createAdministrator } from '../attack/lifecycle-world.ts'
import { meter, packMeter, rowOf, tenantWithMeter } from './meter.ts'

const name = meter
const api = `/tenant/plugins/${name}/api`
const metrics = `/admin/plugins/${name}/metrics`
const env = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

describe('what plugins cost', () => {
  const stack = new AsyncDisposableStack()
  let platform: Platform
  let admin: Api
  let databaseUrl: string
  let port: number
  const start = (more: object = {}): Promise<Platform> =>
    startPlatform({ env: { ...env, EGRESS_ALLOW_PRIVATE: `upstream.localhost:${port}` }, databaseUrl, ...more })

  const tenantOf = (code: string) => tenantWithMeter(admin, code)

  before(async () => {
    const server = createServer((_request, response) => response.end('twelve bytes')).listen(0, '127.0.0.1')
    stack.defer(() => void server.close())
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    databaseUrl = stack.use(await createTestDatabase(migratedFor(corePlugins, silentLog))).url
    platform = await start()
    admin = platform.admin
    await installAndEnable(admin, await packMeter(port))
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await stack.disposeAsync()
  })

  it('is counted by tenant and handler, with everything that was asked of the platform', async () => {
    const { owner, id } = await tenantOf('one')
    const body = { url: `http://upstream.localhost:${port}/` }
    for (const path of ['fetch', 'store', 'insert', 'publish', 'log']) {
      assert.equal((await owner.post(`${api}/${path}`, body)).status, 200, path)
    }
    const { tenants, handlers: byHandler, egress_hosts, breaker, window } = dataOf(await admin.get(metrics))
    const own = rowOf(tenants, 'tenant_id', id)
    const { calls, errors, egress, storage, database, events, log } = own
    assert.deepEqual(
      { calls, errors, egress, storage, database: { ...database, ms: 0 }, events, log },
      {
        calls: 5,
        errors: { plugin: 0, limit: 0, upstream: 0, host: 0 },
        egress: { requests: 1, sent_bytes: 4, received_bytes: 12 },
        storage: { operations: 2, written_bytes: 5, read_bytes: 5 },
        database: { statements: 2, ms: 0, rows: 2 },
        events: 1,
        log: { lines: 100, dropped_lines: 30 },
      },
    )
    for (const figure of ['cpu_ms', 'wall_ms', 'p50_ms', 'p95_ms']) assert.ok(Number(own[figure]) > 0, figure)
    const fetched = rowOf(byHandler, 'handler', 'handler fetch')
    assert.deepEqual([fetched['calls'], fetched['egress']?.['requests']], [1, 1])
    assert.deepEqual(egress_hosts, [{ host: 'upstream.localhost', requests: 1, sent_bytes: 4, received_bytes: 12 }])
    assert.deepEqual([breaker, window?.['hours']], ['closed', 24])
    await until(async () => {
      const [here] = dataOf(await admin.get(metrics))['hosts'] as unknown as Body[]
      return Number(here?.['isolate_heap_bytes']) > 500_000 && Number(here?.['lane_rss_bytes']) > 20_000_000
    })
  })

  it('tells failures apart from refusals, and shows the latest with their trace', async () => {
    const { owner, id } = await tenantOf('two')
    await owner.post(`${api}/refuse`)
    const traceId = (await owner.post(`${api}/fail`)).body['trace_id']
    await owner.post(`${api}/spin`)
    const { tenants, recent_failures, totals } = dataOf(await admin.get(metrics))
    const { errors, refusals, calls } = rowOf(tenants, 'tenant_id', id)
    assert.deepEqual([calls, errors, refusals], [3, { plugin: 1, limit: 1, upstream: 0, host: 0 }, 1])
    assert.ok(Number(totals?.['errors']?.['plugin']) >= 1)
    const failures = (recent_failures as unknown as Body[]).filter(({ tenant_id }) => Number(tenant_id) === id)
    const [spun, failed] = failures
    const { target, code, reason, message, trace_id, stack: thrown } = failed ?? {}
    assert.deepEqual(
      { target, code, reason, message, trace_id, latest: spun?.['code'], count: failures.length },
      {
        ...{ target: 'handler fail', code: 5004, reason: 'plugin_handler_failed', message: 'broken on purpose' },
        ...{ trace_id: traceId, latest: 5008, count: 2 },
      },
    )
    const { recent_failures: told } = dataOf(await admin.get(metrics, { headers: { 'accept-language': 'zh-CN' } }))
    const words = (told as unknown as Body[]).filter(({ tenant_id }) => Number(tenant_id) === id)
    assert.deepEqual(
      words.map((one) => one['message'] as unknown),
      ['POST /spin 使用的 CPU 时间超过 500 毫秒', 'broken on purpose'],
    )
    assert.match(thrown as unknown as string, /broken on purpose\n\s+at .*dist\/index\.js/)
  })

  it('names the plugins that used the most', async () => {
    const { owner } = await tenantOf('three')
    dataOf(await owner.post(`${api}/store`))
    for (const by of ['cpu', 'calls']) {
      const { items } = dataOf(await admin.get(`/plugins/metrics/top?by=${by}`))
      assert.deepEqual(
        (items as unknown as Body[]).map(({ plugin }) => plugin as unknown),
        [name],
        by,
      )
    }
    const refused = { status: 422, code: 4221, reason: 'params_invalid' }
    assert.deepEqual(refusalOf(await admin.get('/plugins/metrics/top?by=luck')), refused)
  })

  it('shows a tenant what it cost, and nobody what another one did', async () => {
    const { owner, id } = await tenantOf('four')
    dataOf(await owner.post(`${api}/store`))
    const own = dataOf(await owner.get('/tenant/plugins/metrics?hours=1'))
    const seen = dataOf(await admin.get(`/plugins/metrics/tenants/${id}?hours=1`))
    assert.deepEqual({ ...seen, window: {} }, { ...own, window: {} })
    const { tenant_id, totals, plugins, hours } = own
    assert.deepEqual(
      [tenant_id, totals?.['calls'], rowOf(plugins, 'plugin', name)['calls'], (hours as unknown as Body[]).length],
      [id, 1, 1, 1],
    )
    const { items } = dataOf(await admin.get('/plugins/metrics/tenants'))
    assert.equal(Number(rowOf(items, 'tenant_id', id)['calls']), 1)
    const nobody = await createUser(owner, 'four', ['tenant_role:list'])
    assert.equal(refusalOf(await nobody.get('/tenant/plugins/metrics')).code, 4031)
    assert.equal(refusalOf(await owner.get(metrics)).code, 4033)
    const lister = await createAdministrator(admin, 'lister', ['platform_plugin:list'])
    assert.equal(refusalOf(await lister.get(metrics)).code, 4031)
  })

  it('forgets a tenant with the tenant', async () => {
    const { owner, id } = await tenantOf('five')
    dataOf(await owner.post(`${api}/store`))
    await owner.post(`${api}/fail`)
    assert.ok(rowOf(dataOf(await admin.get(metrics))['tenants'], 'tenant_id', id))
    // Counted, and not written yet.
    dataOf(await owner.post(`${api}/store`))
    dataOf(await admin.delete(`/admin/tenants/${id}`))
    const { knex } = platform.host.kernel.database
    await until(async () => ((await knex('tenants').where({ id }).first()) as Body)['erased_at'] !== (null as unknown))
    await until(async () => {
      const { tenants, recent_failures } = dataOf(await admin.get(metrics))
      const left = [...(tenants as unknown as Body[]), ...(recent_failures as unknown as Body[])]
      return left.every(({ tenant_id }) => Number(tenant_id) !== id)
    })
  })

  itOnRedis('adds up what all hosts counted', async () => {
    const { owner, id } = await tenantOf('six')
    await using other = await start({ namespace: platform.host.namespace })
    await until(async () => (await owner.at(other.host.url).post(`${api}/store`)).status === 200)
    dataOf(await owner.post(`${api}/store`))
    await until(async () => {
      const { tenants, hosts } = dataOf(await admin.get(metrics))
      const ids = new Set((hosts as unknown as Body[]).map(({ host_id }) => host_id))
      return Number(rowOf(tenants, 'tenant_id', id)['calls']) === 2 && ids.size === 2
    })
  })

  it('outlives the process', async () => {
    const { owner, id } = await tenantOf('seven')
    dataOf(await owner.post(`${api}/store`))
    await platform[Symbol.asyncDispose]()
    platform = await start()
    admin = platform.admin
    const { tenants, hosts } = dataOf(await admin.get(metrics))
    assert.deepEqual([rowOf(tenants, 'tenant_id', id)['calls'], hosts], [1, []])
  })
})
