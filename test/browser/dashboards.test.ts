import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('the dashboards of the console', function () {
  this.timeout(180_000)
  const acts = useActs()
  const titles = (page: Page) => page.locator('.board h2').allInnerTexts()

  it('tenant: what AI costs is told against its quotas, with what the month comes to', async () => {
    const by = await acts.stage.staff()
    const { items } = dataOf(await by.get('/admin/tenants?q=demo')) as unknown as {
      items: { id: number; code: string }[]
    }
    const tenant = items.find(({ code }) => code === 'demo')
    const window = { kind: 'calendar', unit: 'month' }
    const quota = {
      name: 'A month of demo',
      metric: 'cost',
      limit: '0.000000001',
      mode: 'soft',
      tenant_id: tenant?.id,
      window,
    }
    const { id } = dataOf(await by.post('/admin/ai/quotas', quota), 201)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant')
    const card = page.getByRole('region', { name: 'Cost against quotas' })
    await card.getByText(/At this pace the month comes to \$/).waitFor()
    await card.getByRole('listitem').filter({ hasText: 'A month of demo' }).getByText('0%').waitFor()
    for (const title of ['Cost', 'Requests', 'Time to first token, median', 'Time to first token, p95']) {
      await page
        .getByRole('heading', { name: new RegExp(`^${title}`) })
        .first()
        .waitFor()
    }
    assert.deepEqual(await axeFaults(page), [])
    dataOf(await by.put(`/admin/ai/quotas/${textOf(id)}`, { status: 'disabled' }))
    await page.reload()
    await card.getByText(/At this pace/).waitFor()
    await card.getByText('A month of demo').waitFor({ state: 'detached' })
  })

  it('platform: the five tenants whose plugins computed most are told, and lead to the tenants', async () => {
    const by = await acts.stage.staff()
    const { items } = dataOf(await by.get('/admin/tenants?q=demo')) as unknown as {
      items: { id: number; code: string; name: string }[]
    }
    const demo = items.find(({ code }) => code === 'demo') ?? assert.fail('there is a demo tenant')
    const plugin = dataOf(await by.get('/admin/plugins/acme.shop-orders'))
    const { knex } = acts.stage.host.kernel.database
    const rows = () => knex('plugin_tenant_usage').queryContext({ tenant: 'all' })
    // An hour that no call is counted in: the platform, the demo tenant and some that are gone.
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7_200_000)
    const ids = [0, demo.id, 990_001, 990_002, 990_003, 990_004]
    const use = ids.map((id, at) => ({
      ...{ plugin_id: plugin['id'], tenant_id: id, hour, durations: [] },
      counts: [at + 1, 0, 0, 0, 0, 0, (9 - at) * 1e6],
    }))
    await rows().insert(use)
    try {
      const page = await acts.tab(await acts.signedIn(), '/admin')
      const table = page.getByRole('table', { name: 'Tenants by computing time of plugins' })
      await table.getByRole('row').nth(5).waitFor()
      const names = ['The platform', demo.name, 'Tenant 990001', 'Tenant 990002', 'Tenant 990003']
      assert.deepEqual(await table.locator('tbody tr > :first-child').allInnerTexts(), names)
      assert.deepEqual(await axeFaults(page), [])
      await table.getByRole('link', { name: demo.name }).click()
      await page.getByRole('heading', { name: demo.name, level: 1 }).waitFor()
    } finally {
      await rows().where({ hour }).whereIn('tenant_id', ids).delete()
    }
  })

  it('platform: numbers are told with what became of them in seven days', async () => {
    const context = await acts.signedIn()
    // As if AI had done so much on each day, and two of many tenants had come this week.
    await context.route('**/admin/ai/usage/trends?*', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { buckets: { results: unknown[] }[] } }
      const { buckets } = answer.data
      for (const [at, bucket] of buckets.entries()) {
        const age = buckets.length - 1 - at
        const [requests, cost] = age < 7 ? [3, '0.1'] : age < 14 ? [2, '0.2'] : [1000, '1000']
        bucket.results = [{ group: {}, requests, cost, ttft_p50_ms: 1, ttft_p95_ms: 1 }]
      }
      await route.fulfill({ response, json: answer })
    })
    const old = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await context.route('**/admin/tenants?page_size=10', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { items: object[]; total: number } }
      const [first] = answer.data.items
      const young = { ...first, created_at: new Date().toISOString() }
      Object.assign(answer.data, { items: [young, young, { ...first, created_at: old }], total: 1234 })
      await route.fulfill({ response, json: answer })
    })
    const page = await acts.tab(context, '/admin')
    const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    await card('AI calls, 7 days').getByText('+50% against the 7 days before').waitFor()
    await card('AI calls, 7 days').getByText('21', { exact: true }).waitFor()
    await card('AI cost, 7 days').getByText('-50% against the 7 days before').waitFor()
    await card('AI cost, 7 days').getByText('$0.70', { exact: true }).waitFor()
    await card('Tenants').getByText('2 new in 7 days').waitFor()
    await card('Tenants').getByText('1,234', { exact: true }).waitFor()
    const { items } = dataOf(await (await acts.stage.staff()).get('/admin/users?page_size=10')) as unknown as {
      items: object[]
    }
    // Everybody came since the platform began, a moment ago.
    await card('Administrators')
      .getByText(new RegExp(`^${items.length} (or more )?new in 7 days$`))
      .waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  for (const area of ['admin', 'tenant'] as const) {
    it(`${area}: cards are hidden and moved by keys and mouse, which is kept, and put back`, async () => {
      const context = await acts.signedIn(area === 'tenant' ? demoOwner(acts.stage) : undefined)
      const page = await acts.tab(context, `/${area}`)
      await page.getByRole('heading', { name: 'What happened last' }).waitFor()
      // Cards come one by one, each when it has something to say.
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
      await page.waitForLoadState('networkidle')
      const usual = await titles(page)
      // Whatever may come still is in nobody's way.
      const known = async () => (await titles(page)).filter((title) => usual.includes(title))
      await page.getByRole('button', { name: 'Arrange the cards' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Arrange the cards' })
      await dialog.getByRole('checkbox', { name: 'Needs attention' }).press('Space')
      await dialog.getByRole('button', { name: 'Move What happened last up' }).press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      assert.deepEqual(await axeFaults(page), [])
      await dialog.getByRole('button', { name: 'Save' }).click()
      const isArranged = async () => {
        const [first] = await titles(page)
        return first === 'What happened last' && !(await titles(page)).includes('Needs attention')
      }
      await until(isArranged)
      assert.deepEqual(await axeFaults(page), [])
      await page.reload()
      await page.getByRole('heading', { name: 'What happened last' }).waitFor()
      await until(isArranged)
      await page.getByRole('button', { name: 'Arrange the cards' }).click()
      await dialog.getByRole('button', { name: 'As it was' }).click()
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
      await until(async () => (await known()).join() === usual.join())
    })
  }
})
