import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { chartOf, handOf, showing } from './support/charts.ts'
import { useActs } from './support/stage.ts'

const tenant = 990_411
const week = '/admin/ai/usage?days=custom&from=2026-02-02&to=2026-02-08'

describe('charts', () => {
  const acts = useActs()

  describe('of a week in which something was done each day', () => {
    before(async () => {
      // On the 2nd one call, on the 3rd two, and so on; those of the 3rd at four and at five.
      const calls = [1, 2, 3, 4, 5, 6, 7].flatMap((count, at) =>
        Array.from({ length: count }, (_, hour) => callOf(new Date(Date.UTC(2026, 1, 2 + at, 4 + hour)))),
      )
      const { knex } = acts.stage.host.kernel.database
      await knex('ai_usage').queryContext({ tenant: 'all' }).insert(calls)
    })
    after(async () => {
      const { knex } = acts.stage.host.kernel.database
      await knex('ai_usage').queryContext({ tenant: 'all' }).where({ tenant_id: tenant }).delete()
    })

    it('4.11: a part of the time is shown alone by dragging, in all charts and in what is beside them; the way back leads back', async () => {
      const context = await acts.signedIn(undefined, { timezoneId: 'UTC' })
      const page = await acts.tab(context, week)
      const [requests, cost] = [chartOf(page, /^Requests/), chartOf(page, /^Cost/)]
      await showing(requests, ['Feb 2', 'Feb 8'], 7)
      const total = page.getByRole('listitem').filter({ hasText: 'Total' })
      await total.getByText('$2.80').waitFor()

      const { x, y, width, height } = (await handOf(requests).boundingBox()) ?? assert.fail('it is drawn')
      const middle = y + height / 2
      await page.mouse.move(x + (width * 3.5) / 7, middle)
      await page.mouse.down()
      await page.mouse.move(x + (width * 2.5) / 7, middle, { steps: 4 })
      // What is chosen is seen in the others too, and nothing is shown alone yet.
      for (const chart of [requests, cost]) {
        const drawn = chart.locator('rect')
        assert.equal(await drawn.count(), 1)
        assert.deepEqual(
          await Promise.all(['x', 'width'].map(async (name) => share(await drawn.getAttribute(name)))),
          [2, 2],
        )
      }
      assert.equal(new URL(page.url()).searchParams.has('zoom'), false)
      await page.mouse.up()
      for (const chart of [requests, cost]) await showing(chart, ['Feb 4', 'Feb 5'], 2)
      assert.equal(new URL(page.url()).searchParams.get('zoom'), '2026-02-04T00:00:00.000Z..2026-02-06T00:00:00.000Z')
      // It is the time that the whole page is about.
      await total.getByText('$0.70').waitFor()
      assert.equal(await page.getByLabel('First day').inputValue(), '2026-02-04')
      assert.equal(await page.getByLabel('Last day').inputValue(), '2026-02-05')
      await page.mouse.move(0, 0)
      assert.deepEqual(await axeFaults(page), [])
      const again = await acts.tab(context)
      await again.goto(page.url())
      await showing(chartOf(again, /^Requests/), ['Feb 4', 'Feb 5'], 2)

      await page.goBack()
      for (const chart of [requests, cost]) await showing(chart, ['Feb 2', 'Feb 8'], 7)
      await total.getByText('$2.80').waitFor()
      await page.goForward()
      await showing(cost, ['Feb 4', 'Feb 5'], 2)
      await cost.getByRole('button', { name: 'Show all' }).click()
      await showing(requests, ['Feb 2', 'Feb 8'], 7)
      assert.equal(await page.getByRole('button', { name: 'Show all' }).count(), 0)
      // Whoever chooses a day goes on from what is shown.
      await page.goBack()
      await showing(cost, ['Feb 4', 'Feb 5'], 2)
      await page.getByLabel('Last day').fill('2026-02-07')
      await showing(cost, ['Feb 4', 'Feb 7'], 4)
      // A click is no range.
      await handOf(cost).click()
      assert.equal(new URL(page.url()).searchParams.has('zoom'), false)
    })

    it('4.11: keys choose a part of the time, show it alone down to the hours of a day, and all again', async () => {
      const page = await acts.tab(await acts.signedIn(undefined, { timezoneId: 'UTC' }), week)
      const requests = chartOf(page, /^Requests/)
      await showing(requests, ['Feb 2', 'Feb 8'], 7)
      await requests.getByRole('button', { name: /^Save / }).focus()
      await page.keyboard.press('Tab')
      const hand = handOf(requests)
      const says = (text: string) => until(async () => (await hand.getAttribute('aria-valuetext')) === text)
      await says('Feb 8: 7')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await says('Feb 3: 2')
      await page.keyboard.press('Shift+ArrowRight')
      await says('Feb 3 – Feb 4 is chosen. Enter shows it alone.')
      assert.deepEqual(await axeFaults(page), [])
      // Dropped, it is chosen anew.
      await page.keyboard.press('Escape')
      await says('Feb 4: 3')
      await page.keyboard.press('Shift+ArrowLeft')
      await page.keyboard.press('Enter')
      await showing(requests, ['Feb 3', 'Feb 4'], 2)
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+Home')
      await says('Feb 3 – Feb 3 is chosen. Enter shows it alone.')
      await page.keyboard.press('Enter')
      await showing(requests, ['00:00', '23:00'], 24)
      await page.keyboard.press('Home')
      for (let hour = 0; hour < 4; hour++) await page.keyboard.press('ArrowRight')
      await says('04:00: 1')
      await page.keyboard.press('Escape')
      await showing(requests, ['Feb 2', 'Feb 8'], 7)
      await requests.locator('[role="slider"]:focus').waitFor()
    })
  })
})

/** A call of a model, as the ledger has it, of a tenant that is gone. */
function callOf(at: Date) {
  const id = randomUUID()
  const nano = 1e8
  return {
    ...{ id, request_id: randomUUID(), attempt: 1, at, attempt_at: at, tenant_id: tenant, purpose: 'chat' },
    ...{ model_id: 'gone', model: 'gone', model_version: 1, provider_id: 'gone' },
    ...{ input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    ...{ cost_nano: nano, list_cost_nano: nano, possible_cost_nano: nano, saved_nano: 0 },
    ...{ usage_source: 'provider', outcome: 'ok', ttft_ms: 1, duration_ms: 1, stream: false, cached: false },
    ...{ tool_calls: 0, tool_cpu_ms: 0, sandbox_ms: 0 },
  }
}

/** In which seventh of a chart something is. */
function share(place: string | null): number {
  return Math.round((Number(place) / 1000) * 7)
}
