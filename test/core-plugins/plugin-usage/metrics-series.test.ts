import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { meter, packMeter, rowOf, tenantWithMeter } from './meter.ts'

const name = meter
const metrics = `/admin/plugins/${name}/metrics`

describe('what plugins cost over time', () => {
  let platform: Platform
  let admin: Api
  const tenantOf = (code: string) => tenantWithMeter(admin, code)

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    // No call of these tests goes out.
    await installAndEnable(admin, await packMeter(9))
  })
  after(() => platform[Symbol.asyncDispose]())

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
    for (const query of ['', '?from=2025-10-24T18:30:00Z&to=2025-10-28T18:30:00Z'])
      assert.equal(dataOf(await owner.get(`/tenant/plugins/${name}/metrics${query}`))['totals']?.['calls'], 0)
    assert.equal(refusalOf(await stranger.owner.get(`/tenant/plugins/${name}/metrics`)).code, 4046)
  })
})
