import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('the dashboards of the console', () => {
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

  it('tenant: of its people each status that anybody has is counted, and leads to them', async () => {
    const by = await acts.stage.owner()
    const who = { email: 'put.aside@demo.test', password: 'a long enough passphrase', roles: ['tenant_user'] }
    const id = textOf(dataOf(await by.post('/tenant/users', who), 201)['id'])
    try {
      dataOf(await by.put(`/tenant/users/${id}`, { status: 'disabled' }))
      const counts = dataOf(await by.get('/tenant/users?counts=true'))['counts'] as unknown as Record<string, number>
      const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant')
      await page.getByRole('link', { name: `Active: ${counts['active']?.toLocaleString('en')}`, exact: true }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page
        .getByRole('link', { name: `Disabled: ${counts['disabled']?.toLocaleString('en')}`, exact: true })
        .click()
      await page.waitForURL(/\/tenant\/users\?status=disabled$/)
      await page.getByRole('row').filter({ hasText: 'put.aside@demo.test' }).waitFor()
    } finally {
      dataOf(await by.delete(`/tenant/users/${id}`))
    }
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

  it('platform: health tells of the hosts and of the sandbox, as the server does', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin')
    const card = page.getByRole('region', { name: 'Health' })
    await card.getByText('1 of 1 answer').waitFor()
    const { details } = dataOf(await by.get('/admin/health')) as unknown as {
      details: { sandbox: { status: string; hosts: number } }
    }
    assert.equal(details.sandbox.status, 'healthy')
    const sandbox = card.getByRole('listitem').filter({ hasText: 'Sandbox' })
    await sandbox.getByText(/^hosts: \d+ · running calls: \d+ · waiting: \d+ · ended by force: \d+$/).waitFor()
    await sandbox.getByText('Healthy').waitFor()
    await card.getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
  })

  it('licences that end soon are told to the platform; a tenant sees what it has done first, and what its plugins cost', async () => {
    const by = await acts.stage.staff()
    const plugin = 'acme.tried'
    const owner = { email: 'owner@beginners.test', password: 'a long enough passphrase' }
    const { id } = dataOf(await by.post('/admin/tenants', { code: 'beginners', name: 'Beginners', owner }), 201)
    const routes = { tenant_routes: [{ method: 'GET', path: '/hello', handler: 'hello' }] }
    const licensing = { type: 'commercial', trialDays: 10, graceDays: 7, features: [], keys: ['acme-lic'] }
    await installAndEnable(by, await packSmall(plugin, { ...routes, licensing }, '{ handlers: { hello: () => 1 } }'))
    try {
      dataOf(await by.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [id] }))
      dataOf(await by.post(`/admin/plugins/${plugin}/activate-trial`, { tenant_id: id }))
      const staff = await acts.tab(await acts.signedIn(), '/admin')
      const attention = staff.getByRole('region', { name: 'Needs attention' })
      const ending = `/admin/plugins/ending-licenses?q=${plugin}`
      const isListed = async () => Number(dataOf(await by.get(ending))['total']) === 1
      await until(isListed)
      await staff.reload()
      // Other tests may leave some as well: then there is no one page of them all.
      const all = dataOf(await by.get('/admin/plugins/ending-licenses')) as unknown as { items: { plugin: string }[] }
      const isAlone = all.items.every((each) => each.plugin === plugin)
      const told = /^(1 licence of a plugin ends|\d+ licences of plugins end) soon$/
      await attention.getByRole('link', { name: told }).click()
      await staff.waitForURL(isAlone ? `**/admin/plugins/${plugin}/licence` : '**/admin/plugins')

      // Whoever may read licences alone is told, and led nowhere.
      const rights = ['console_admin:enter', 'platform_plugin:license']
      const wish = { code: 'licensing', name: 'Licensing', permissions: rights, data_scope: 'ALL' }
      dataOf(await by.post('/admin/roles', wish), 201)
      const who = { account: 'licensing@stoa.test', password: owner.password }
      dataOf(await by.post('/admin/users', { email: who.account, password: who.password, roles: ['licensing'] }), 201)
      const clerk = await acts.tab(await acts.signedIn(who), '/admin')
      const seen = clerk.getByRole('region', { name: 'Needs attention' })
      await seen.getByText(told).waitFor()
      assert.equal(await seen.getByRole('link').count(), 0)
      assert.deepEqual(await axeFaults(clerk), [])

      const credentials = { account: owner.email, password: owner.password, tenant_code: 'beginners' }
      const page = await acts.tab(await acts.signedIn(credentials), '/tenant')
      const list = page.getByRole('region', { name: 'What to do next' })
      const step = (name: string) => list.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
      for (const name of ['Make it yours', 'Invite people', 'Publish an agent', 'Enable a plugin', 'Ask an agent']) {
        await step(name).waitFor()
      }
      await page.waitForLoadState('networkidle')
      assert.equal(await list.getByText('Done', { exact: true }).count(), 0)
      const api = acts.stage.host.api
      const own = api.as(dataOf(await api.post('/auth/login/json', credentials))['access_token'])
      dataOf(await own.post(`/tenant/plugins/${plugin}/enable`))
      dataOf(await own.get(`/tenant/plugins/${plugin}/api/hello`))
      dataOf(await own.post('/tenant/users', { email: 'two@beginners.test', roles: ['tenant_user'] }), 201)
      dataOf(await own.put('/tenant/configs/groups/tenant_basic', { brand_color: '#336699' }))
      await page.reload()
      for (const name of ['Make it yours', 'Invite people', 'Enable a plugin']) {
        await step(name).getByText('Done', { exact: true }).waitFor()
      }
      assert.equal(await step('Ask an agent').getByText('Done', { exact: true }).count(), 0)
      const cost = page.getByRole('table', { name: 'Plugins, the last 7 days' })
      await cost
        .getByRole('row')
        .filter({ hasText: plugin })
        .getByRole('cell', { name: '1', exact: true })
        .first()
        .waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await cost.getByRole('link', { name: plugin }).click()
      await page.waitForURL(`**/tenant/plugins/${plugin}/figures`)
    } finally {
      await by.delete(`/admin/plugins/${plugin}?purge=true`)
      await by.delete(`/admin/tenants/${textOf(id)}`)
    }
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
      /** Whether those that were there stand as before; what comes or goes by itself, as the costs of a plugin, is in nobody's way. */
      const isUsual = async () => {
        const now = await titles(page)
        const still = usual.filter((title) => now.includes(title))
        const known = now.filter((title) => usual.includes(title))
        return still.includes('Needs attention') && still.length > 2 && known.join() === still.join()
      }
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
      await until(isUsual)
    })
  }
})
