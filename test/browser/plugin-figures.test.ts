import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { chartOf, handOf, pointsOf } from './support/charts.ts'
import { useActs } from './support/stage.ts'

const figured = 'acme.figured'

describe('figures of a plugin', () => {
  const acts = useActs()

  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/plugins/${figured}?purge=true`)
  })

  it('4.11: calls, errors by cause, CPU, durations and traffic are lines over time; tenants, hosts and kills have shares', async () => {
    const staff = await acts.stage.staff()
    const { lanes } = acts.stage
    const { port } = lanes
    lanes.open('figured', (_request, response) => response.end('twelve bytes'))
    await installAndEnable(staff, await packFigured(port))
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as { items: { id: number }[] }
    dataOf(await staff.post(`/admin/plugins/${figured}/tenants`, { tenant_ids: items.map(({ id }) => id) }))
    const owner = await acts.stage.owner()
    dataOf(await owner.post(`/tenant/plugins/${figured}/enable`))
    const api = `/tenant/plugins/${figured}/api`
    dataOf(await owner.post(`${api}/fetch`, { url: `http://upstream.localhost:${port}/figured` }))
    for (const [path, code] of [...Array<[string, number]>(2).fill(['fail', 5004]), ['spin', 5008] as const]) {
      assert.equal((await owner.post(`${api}/${path}`)).body['code'], code)
    }
    // What nothing stops from within takes its sandbox host with it.
    await owner.post(`${api}/hold`)

    const page = await acts.tab(await acts.signedIn(), `/admin/plugins/${figured}/figures`)
    const titles = [/^Calls/, /^Errors/, /^CPU ms/, /^Duration/, /^Traffic bytes/]
    // A single hour with calls is a dot.
    for (const title of titles) await chartOf(page, title).locator('polyline').first().waitFor({ state: 'attached' })
    assert.deepEqual(
      await Promise.all(titles.map((title) => chartOf(page, title).locator('.drawing rect').count())),
      titles.map(() => 0),
    )
    const errors = chartOf(page, /^Errors/)
    assert.deepEqual(await columnsOf(errors), ['Time', 'Plugin', 'Limits', 'Servers asked', 'Platform'])
    assert.deepEqual(await sumsOf(errors), [2, 2, 0, 0])
    const duration = chartOf(page, /^Duration/)
    assert.deepEqual(await columnsOf(duration), ['Time', 'p50', 'p95'])
    // Nothing is said of hours without a call.
    assert.match((await duration.getByRole('cell').allTextContents()).join(), /^(–,){20,}.*\d/)
    const traffic = chartOf(page, /^Traffic bytes/)
    assert.deepEqual(await columnsOf(traffic), ['Time', 'Sent', 'Received'])

    const shares = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) }).first()
    const rows = async (name: string) => shares(name).getByRole('row').nth(1).innerText()
    assert.match(await rows('CPU by tenant'), /Demo\s+[\d,]+\s+100%/)
    assert.match(await rows('Traffic by host'), /upstream\.localhost\s+.*B\s+100%/)
    assert.match(await rows('Sandbox hosts that were stopped'), /^(Too much CPU|No answer in time)\s+1\s+100%/)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      shares('CPU by tenant')
        .getByRole('button', { name: /^Save / })
        .click(),
    ])
    assert.match(await readFile(await saved.path(), 'utf8'), /^\uFEFFTenant,ms,Share\r\nDemo,\d+(\.\d+)?,1$/)
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      errors.getByRole('button', { name: /^Save / }).click(),
    ])
    const lines = (await readFile(await table.path(), 'utf8')).split('\r\n')
    assert.equal(lines[0], '\uFEFFfrom,Plugin,Limits,Servers asked,Platform')
    assert.equal(lines.length, 25)
    const causes = lines.slice(1).map((line) => line.split(',').slice(1).map(Number))
    assert.deepEqual(
      [0, 1].map((at) => causes.reduce((sum, each) => sum + (each[at] ?? 0), 0)),
      [2, 2],
    )
    assert.deepEqual(await axeFaults(page), [])

    // The last hour alone: all figures are of it.
    await page.getByLabel('Range').selectOption('168')
    const calls = chartOf(page, /^Calls/)
    await until(async () => (await pointsOf(calls)) === 7)
    await handOf(calls).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'By tenant' }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('table', { name: 'By tenant' }).getByText('Demo').waitFor()
    assert.equal(await page.getByLabel('Range').inputValue(), '168')
  })
})

function packFigured(port: number): Promise<Buffer> {
  const more = {
    ...{ title: { default: 'Figured' }, capabilities: ['http'], reasons: { http: 'For the test.' } },
    http: { hosts: [{ host: 'upstream.localhost', ports: [port], methods: ['GET'], reason: 'For the test.' }] },
    limits: { cpuMs: 500 },
    tenant_routes: ['fetch', 'fail', 'spin', 'hold'].map((handler) => ({
      method: 'POST',
      path: `/${handler}`,
      handler,
    })),
  }
  const definition = `{ handlers: {
    fetch: async (request, ctx) => ({ status: (await ctx.http.fetch({ url: request.body.url })).status }),
    fail: () => { throw new Error('broken on purpose') },
    spin: () => { for (;;); },
    hold: () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1),
  } }`
  return packSmall(figured, more, definition)
}

/** The heads of a chart’s table, which is shown from then on. */
async function columnsOf(chart: Locator): Promise<readonly string[]> {
  await chart.getByRole('button', { name: 'As a table' }).click()
  return chart.getByRole('columnheader').allTextContents()
}

/** What the columns of a chart’s table add up to. */
async function sumsOf(chart: Locator): Promise<readonly number[]> {
  const [, ...rows] = await chart.getByRole('row').all()
  const numbers = await Promise.all(
    rows.map(async (row) => (await row.getByRole('cell').allTextContents()).map(Number)),
  )
  return (numbers[0] ?? []).map((_, at) => numbers.reduce((sum, row) => sum + (row[at] ?? 0), 0))
}
