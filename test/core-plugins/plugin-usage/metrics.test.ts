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
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

const name = 'acme.meter'
const api = `/tenant/plugins/${name}/api`
const metrics = `/admin/plugins/${name}/metrics`
const env = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

const definition = `{
  handlers: {
    fetch: async (request, ctx) => (await ctx.http.fetch({ url: request.body.url, method: 'POST', body: 'four' })).status,
    store: async (request, ctx) => {
      await ctx.storage.put('a', '12345')
      return (await ctx.storage.get('a')).base64
    },
    insert: async (request, ctx, db) => {
      await db.table('things').insert({ title: 'one' })
      return (await db.table('things').select('title')).length
    },
    publish: (request, ctx) => ctx.events.publish('${name}.done', {}),
    log: (request, ctx) => { for (let line = 0; line < 130; line++) ctx.log.info('line') },
    refuse: () => { throw Object.assign(new Error('No such thing'), { code: 'not_found' }) },
    fail: () => { throw new Error('broken on purpose') },
    spin: () => { for (;;); },
  },
}`
const handlers = ['fetch', 'store', 'insert', 'publish', 'log', 'refuse', 'fail', 'spin']

function packMeter(port: number): Promise<Buffer> {
  const capabilities = ['http', 'storage', 'events', 'db:own_tables']
  const more = {
    capabilities,
    reasons: Object.fromEntries(capabilities.map((capability) => [capability, 'For the test.'])),
    http: { hosts: [{ host: 'upstream.localhost', ports: [port], methods: ['POST'], reason: 'For the test.' }] },
    events: { publish: [`${name}.done`] },
    db: { tables: ['things'], migrations: 'migrations/' },
    storage: {},
    limits: { cpuMs: 500 },
    tenant_routes: handlers.map((handler) => ({ method: 'POST', path: `/${handler}`, handler })),
  }
  const migration = 'create table things (id bigint generated always as identity primary key, title text not null);'
  return packSmall(name, more, definition, {
    'migrations/0001_things.up.sql': migration,
    'migrations/0001_things.down.sql': 'drop table things;',
  })
}

describe('what plugins cost', () => {
  const stack = new AsyncDisposableStack()
  let platform: Platform
  let admin: Api
  let databaseUrl: string
  let port: number
  const start = (more: object = {}): Promise<Platform> =>
    startPlatform({ env: { ...env, EGRESS_ALLOW_PRIVATE: `upstream.localhost:${port}` }, databaseUrl, ...more })

  /** The plugin at a tenant of the test's own. */
  async function tenantOf(code: string): Promise<{ owner: Api; id: number }> {
    const tenant = await createTenant(admin, code)
    dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post(`/tenant/plugins/${name}/enable`))
    return tenant
  }

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
  })

  it('is parted by hours and by days of a time zone, empty ones too, and adds up', async () => {
    const { owner, id } = await tenantOf('series')
    const { knex } = platform.host.kernel.database
    const { id: plugin } = dataOf(await admin.get(`/admin/plugins/${name}`))
    // Clocks in Berlin go back in the night to 26 October 2025: that day has 25 hours.
    const calls = {
      '2025-10-25T21:00:00Z': 1,
      '2025-10-25T22:00:00Z': 2,
      '2025-10-26T22:00:00Z': 4,
      '2025-10-26T23:00:00Z': 8,
    }
    for (const [hour, counted] of Object.entries(calls)) {
      const row = { plugin_id: Number(plugin), hour, counts: [counted], durations: [] }
      await knex('plugin_part_usage').insert({ ...row, kind: 'handler', name: 'handler store' })
      await knex('plugin_tenant_usage')
        .queryContext({ tenant: 'all' })
        .insert({ ...row, tenant_id: id })
    }
    const read = async (by: Api, path: string, query: string) => {
      const { series, totals } = dataOf(await by.get(`${path}?${query}`)) as unknown as { series: Body[]; totals: Body }
      const sum = series.reduce((all, part) => all + Number(part['calls']), 0)
      assert.deepEqual([totals['calls'], sum], [15, 15], query)
      return series.map(({ from, to, calls: made }) => [from, to, made] as unknown)
    }
    const berlin = 'from=2025-10-24T22:00:00Z&to=2025-10-28T23:00:00Z&tz=Europe/Berlin'
    const days = [
      ['2025-10-24T22:00:00.000Z', '2025-10-25T22:00:00.000Z', 1],
      ['2025-10-25T22:00:00.000Z', '2025-10-26T23:00:00.000Z', 6],
      ['2025-10-26T23:00:00.000Z', '2025-10-27T23:00:00.000Z', 8],
      ['2025-10-27T23:00:00.000Z', '2025-10-28T23:00:00.000Z', 0],
    ]
    assert.deepEqual(await read(admin, metrics, `${berlin}&bucket=1d`), days)
    assert.deepEqual(await read(owner, `/tenant/plugins/${name}/metrics`, `${berlin}&bucket=1d`), days)
    const hours = await read(admin, metrics, `${berlin}&bucket=1h`)
    assert.equal(hours.length, 97)
    assert.deepEqual(hours[24], ['2025-10-25T22:00:00.000Z', '2025-10-25T23:00:00.000Z', 2])
    const shanghai = await read(admin, metrics, berlin.replace('Europe/Berlin', 'Asia/Shanghai') + '&bucket=1d')
    assert.deepEqual(
      shanghai.map((part) => (part as unknown[])[2]),
      [0, 3, 12, 0, 0],
    )
    // Days that begin at half past: the hour that they begin in is of the day before, of which nobody asked.
    const kolkata = await read(
      admin,
      metrics,
      'from=2025-10-24T18:30:00Z&to=2025-10-28T18:30:00Z&tz=Asia/Kolkata&bucket=1d',
    )
    assert.deepEqual(
      kolkata.map((part) => (part as unknown[])[2]),
      [0, 3, 12, 0],
    )
    const { items } = dataOf(await admin.get('/admin/plugins/metrics/tenants')) as unknown as { items: Body[] }
    assert.ok(items.every(({ tenant_id, tenant }) => Number(tenant?.['id'] ?? 0) === Number(tenant_id)))
    const { tenants } = dataOf(await admin.get(`${metrics}?${berlin}`))
    assert.deepEqual(rowOf(tenants, 'tenant_id', id)['tenant'], { id, code: 'series', name: 'series' })
  })

  it('is told for at most 31 days, without a word for the last hours, and to tenants that may use the plugin', async () => {
    const { owner } = await tenantOf('asked')
    const stranger = await createTenant(admin, 'stranger')
    const paths = [
      'from=2025-10-01T00:00:00Z&to=2025-11-02T00:00:00Z',
      'from=2025-10-02T00:00:00Z&to=2025-10-01T00:00:00Z',
      'from=2025-10-01T00:00:00Z',
      'hours=745',
      'bucket=1w',
      'tz=Middle/Earth',
      // Written well, and yet no moment that a date or a database knows.
      'from=2025-10-01T00:00:00Z&to=2025-10-01T23:59:60Z',
      'from=0000-01-01T00:00:00Z&to=0000-01-02T00:00:00Z',
      'from=9999-12-31T00:00:00Z&to=9999-12-31T23:00:00-23:00',
    ]
    const refused = await Promise.all(
      paths.map(async (query) => refusalOf(await admin.get(`${metrics}?${query}`)).code),
    )
    assert.deepEqual(
      refused,
      paths.map(() => 4221),
    )
    const month = dataOf(await admin.get(`${metrics}?from=2025-10-01T00:00:00Z&to=2025-11-01T00:00:00Z&bucket=1d`))
    assert.deepEqual([(month['series'] as unknown as Body[]).length, month['window']?.['hours']], [31, 744])
    const week = dataOf(await admin.get(`${metrics}?hours=168`))
    assert.ok([168, 169].includes((week['series'] as unknown as Body[]).length))
    assert.equal(dataOf(await owner.get(`/tenant/plugins/${name}/metrics`))['totals']?.['calls'], 0)
    assert.equal(refusalOf(await stranger.owner.get(`/tenant/plugins/${name}/metrics`)).code, 4046)
  })

  it('forgets a tenant with the tenant', async () => {
    const { owner, id } = await tenantOf('five')
    dataOf(await owner.post(`${api}/store`))
    await owner.post(`${api}/fail`)
    assert.ok(rowOf(dataOf(await admin.get(metrics))['tenants'], 'tenant_id', id))
    dataOf(await admin.delete(`/admin/tenants/${id}`))
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

/** The row whose member has this value. */
function rowOf(rows: Body | undefined, member: string, value: unknown): Body {
  const found = (rows as unknown as Body[]).find((row) => (row[member] as unknown) === value)
  assert.ok(found, `no ${member} ${String(value)} in ${JSON.stringify(rows).slice(0, 300)}`)
  return found
}
