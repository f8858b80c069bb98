import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { createTenant, dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

const day = 86_400_000

/** A call of a model, as the ledger has it, of a tenant that is gone. */
function callOf(at: Date, nano: number) {
  const id = randomUUID()
  return {
    ...{ id, request_id: randomUUID(), attempt: 1, at, attempt_at: at, tenant_id: 990_001, purpose: 'chat' },
    ...{ model_id: 'gone', model: 'gone', model_version: 1, provider_id: 'gone' },
    ...{ input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    ...{ cost_nano: nano, list_cost_nano: nano, possible_cost_nano: nano, saved_nano: 0 },
    ...{ usage_source: 'provider', outcome: 'ok', ttft_ms: 1, duration_ms: 1, stream: false, cached: false },
    ...{ tool_calls: 0, tool_cpu_ms: 0, sandbox_ms: 0 },
  }
}

describe('figures of the platform over time', () => {
  const acts = useActs()

  it('platform: numbers are told with what became of them in seven days', async () => {
    const by = await acts.stage.staff()
    const { knex } = acts.stage.host.kernel.database
    // Three calls on each of the last seven days, and two that cost more on each of the seven before.
    const rows = Array.from({ length: 14 }, (_, age) => {
      const [calls, nano] = age < 7 ? [3, 1e8] : [2, 3e8]
      return Array.from({ length: calls }, () => callOf(new Date(Date.now() - age * day), nano))
    })
    await knex('ai_usage').queryContext({ tenant: 'all' }).insert(rows.flat())
    const sums = async (metric: 'requests' | 'cost') => {
      const today = Math.floor(Date.now() / day) * day
      const [from, to] = [today - 13 * day, today + day].map((at) => new Date(at).toISOString())
      const query = new URLSearchParams({ from: from ?? '', to: to ?? '', tz: 'UTC', bucket: '1d', metrics: metric })
      const { buckets } = dataOf(await by.get(`/admin/ai/usage/trends?${query.toString()}`)) as unknown as {
        buckets: { results: Record<string, string | number>[] }[]
      }
      assert.equal(buckets.length, 14)
      const sum = (some: typeof buckets) =>
        some.reduce((all, { results }) => all + Number(results[0]?.[metric] ?? 0), 0)
      return [sum(buckets.slice(7)), sum(buckets.slice(0, 7))] as const
    }
    const [calls, callsBefore] = await sums('requests')
    const [cost, costBefore] = await sums('cost')
    assert.ok(calls >= 21 && callsBefore >= 14 && cost >= 2.1 && costBefore >= 4.2)
    // Two tenants that came this week, and all others before.
    const codes = ['young-one', 'young-two']
    const young = []
    for (const code of codes) young.push(await createTenant(by, code))
    const old = new Date(Date.now() - 8 * day)
    const others = () => knex('tenants').whereNotIn('code', codes)
    const kept = await others().select<{ id: number; created_at: Date }[]>('id', 'created_at')
    await others().update({ created_at: old })
    try {
      const page = await acts.tab(await acts.signedIn(undefined, { timezoneId: 'UTC' }), '/admin')
      const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
      const change = (now: number, before: number) =>
        new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(
          (now - before) / before,
        )
      const dollars = { style: 'currency', currency: 'USD', maximumFractionDigits: 4 } as const
      await card('AI calls, 7 days')
        .getByText(`${change(calls, callsBefore)} against the 7 days before`)
        .waitFor()
      await card('AI calls, 7 days').getByText(calls.toLocaleString('en'), { exact: true }).waitFor()
      await card('AI cost, 7 days')
        .getByText(`${change(cost, costBefore)} against the 7 days before`)
        .waitFor()
      await card('AI cost, 7 days').getByText(cost.toLocaleString('en', dollars), { exact: true }).waitFor()
      await card('Tenants').getByText('2 new in 7 days').waitFor()
      const { total } = dataOf(await by.get('/admin/tenants?page_size=1'))
      await card('Tenants').getByText(Number(total).toLocaleString('en'), { exact: true }).waitFor()
      const { items } = dataOf(await by.get('/admin/users?page_size=10')) as unknown as { items: object[] }
      // Everybody came since the platform began, a moment ago.
      await card('Administrators')
        .getByText(new RegExp(`^${items.length} (or more )?new in 7 days$`))
        .waitFor()
      assert.deepEqual(await axeFaults(page), [])
    } finally {
      for (const { id } of young) await by.delete(`/admin/tenants/${id}`)
      for (const { id, created_at: at } of kept) await knex('tenants').where({ id }).update({ created_at: at })
    }
  })

  it('usage is seen of two days that are chosen and of this month, beside the time before, as lines and as a table', async () => {
    const by = await acts.stage.staff()
    const { knex } = acts.stage.host.kernel.database
    // On the 4th and 5th of March three calls and one, on the two days before two and none.
    const march = (date: number) => new Date(Date.UTC(2026, 2, date, 12))
    const calls = [2, 2, 4, 4, 4, 5].map((date) => callOf(march(date), 1e8))
    await knex('ai_usage').queryContext({ tenant: 'all' }).insert(calls)
    const context = await acts.signedIn(undefined, { timezoneId: 'UTC' })
    const page = await acts.tab(context, '/admin/ai/usage')
    await page.getByLabel('Range').selectOption('custom')
    await page.getByLabel('First day').fill('2026-03-04')
    await page.getByLabel('Last day').fill('2026-03-05')
    await page.getByLabel('Compare with the time before').check()
    const chart = page.getByRole('region', { name: /^Requests/ }).first()
    await chart.getByRole('img', { name: /^Chart: Requests/ }).waitFor()
    await chart.getByText('Before', { exact: true }).waitFor()
    assert.deepEqual(
      await chart
        .locator('polyline')
        .evaluateAll((lines) => lines.map((line) => (line as unknown as { namespaceURI: string }).namespaceURI)),
      Array(2).fill('http://www.w3.org/2000/svg'),
    )
    assert.deepEqual(await pointAt(page, chart, 0.2), 'Mar 4: 3 (Before: 2)')
    assert.deepEqual(await pointAt(page, chart, 0.9), 'Mar 5: 1 (Before: 0)')
    // The other charts tell of the same day.
    const cost = page.getByRole('region', { name: /^Cost/ }).first()
    assert.match(await cost.locator('.pointed').innerText(), /^Mar 5: /)
    await page.mouse.move(0, 0)
    await cost.locator('.pointed').waitFor({ state: 'detached' })
    await chart.getByRole('button', { name: 'As a table' }).click()
    assert.deepEqual(await chart.getByRole('columnheader').allTextContents(), ['Time', 'requests', 'Before'])
    assert.deepEqual(await chart.getByRole('cell').allTextContents(), ['3', '2', '1', '0'])
    assert.deepEqual(await axeFaults(page), [])
    // The address has it all.
    const address = page.url()
    assert.match(address, /days=custom/)
    const again = await acts.tab(context)
    await again.goto(address)
    const same = again.getByRole('region', { name: /^Requests/ }).first()
    await same.locator('polyline').nth(1).waitFor()
    assert.deepEqual(await pointAt(again, same, 0.2), 'Mar 4: 3 (Before: 2)')
    await again.getByLabel('Range').selectOption('month')
    await again.waitForURL((url) => url.searchParams.get('days') === 'month' && !url.searchParams.has('from'))
    const today = new Date().getUTCDate()
    // On the first of a month the only day is a dot: a line from its place to the same place.
    const places = async () => new Set((await same.locator('polyline').last().getAttribute('points'))?.split(' ')).size
    await until(async () => (await places()) === today)
    const spent = dataOf(await by.get('/admin/ai/usage/costs?from=2026-03-04T00:00:00Z&to=2026-03-06T00:00:00Z'))
    assert.equal(Number(spent['total']?.['amount']), 0.4)
  })

  it('usage of a range that nobody offers is that of the usual one', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/usage?days=x&group=y')
    const range = page.getByLabel('Range')
    await range.waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(
      [await range.inputValue(), await page.getByLabel('By', { exact: true }).inputValue()],
      ['30', 'model'],
    )
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

/** What a chart says of the time that the mouse is at, a share of its width. */
async function pointAt(page: Page, chart: Locator, share: number): Promise<string> {
  const image = chart.getByRole('img')
  await image.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await image.boundingBox()) ?? assert.fail('the chart is drawn')
  await page.mouse.move(x + share * width, y + height / 2)
  return chart.locator('.pointed').innerText()
}
