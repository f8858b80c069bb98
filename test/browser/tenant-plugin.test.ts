import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const name = 'acme.notices'
const manifest = {
  ...{ title: { default: 'Notices' }, description: { default: 'Tells what is new' }, optionalCapabilities: ['notify'] },
  capabilities: ['config'],
  reasons: { config: 'Lets you choose the greeting.', notify: 'Tells people of new notices.' },
  config: [{ key: 'greeting', type: 'STRING', scope: 'tenant', default: 'Hello', label: { default: 'Greeting' } }],
  tenant_routes: [{ method: 'GET', path: '/greeting', handler: 'greeting' }],
}
const definition = `{ handlers: {
  greeting: async (request, ctx) => ({ greeting: await ctx.config.get('greeting') }),
} }`

describe('a plugin in the console of its tenant', () => {
  const acts = useActs()

  it('is found among many, page by page, by what it is called and by whether it is on', async () => {
    const staff = await acts.stage.staff()
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as {
      readonly items: readonly { readonly id: number }[]
    }
    const capabilities = ['notify']
    for (const each of ['one', 'other']) {
      const called = { title: { default: `Shelf ${each}` }, capabilities, reasons: { notify: 'Tells people.' } }
      await installAndEnable(staff, await packSmall(`acme.shelf-${each}`, called))
      dataOf(await staff.post(`/admin/plugins/acme.shelf-${each}/tenants`, { tenant_ids: [items[0]?.id] }))
    }
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/tenant/plugins?page_size=1&sort=-created_at')
    const card = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
    await card('Shelf other').getByRole('list', { name: 'Rights' }).getByTitle('notify').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await card('Shelf one').waitFor()
    assert.equal(await card('Shelf other').count(), 0)
    await page.getByRole('searchbox', { name: 'Search' }).fill('Shelf')
    await page.getByText('1–1 of 2').waitFor()
    await page.getByLabel('Rows', { exact: true }).selectOption('20')
    await card('Shelf one').getByRole('button', { name: 'Enable' }).click()
    await card('Shelf one').getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Enabled')
    await card('Shelf other').waitFor({ state: 'detached' })
    await card('Shelf one').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('is switched on, loses the rights that the tenant refuses, and has its settings and figures there', async () => {
    const staff = await acts.stage.staff()
    await installAndEnable(staff, await packSmall(name, manifest, definition))
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as {
      readonly items: readonly { readonly id: number }[]
    }
    dataOf(await staff.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [items[0]?.id] }))
    const owner = await acts.stage.owner()

    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/plugins')
    await page.getByRole('link', { name: 'Notices' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notices' }).waitFor()
    const right = page.getByRole('listitem').filter({ hasText: 'Tells people of new notices.' })
    await right.getByText('Enable the plugin first.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Enable' }).click()
    await right.getByRole('button', { name: 'Refuse', disabled: false }).click()
    await right.getByText('refused here').waitFor()
    const detail = async () => dataOf(await owner.get(`/tenant/plugins/${name}`))
    assert.deepEqual((await detail())['capabilities_denied'], ['notify'])
    await right.getByRole('button', { name: 'Allow' }).click()
    await right.getByRole('button', { name: 'Refuse' }).waitFor()
    assert.deepEqual((await detail())['capabilities_denied'], [])

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByLabel('Greeting').fill('Good day')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const greeting = async () => dataOf(await owner.get(`/tenant/plugins/${name}/api/greeting`))['greeting'] as unknown
    await until(async () => (await greeting()) === 'Good day')
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('link', { name: 'Figures' }).click()
    const calls = page.getByRole('region', { name: 'Calls calls' })
    await calls.getByRole('img', { name: /Calls/ }).waitFor()
    await calls.getByRole('button', { name: 'As a table' }).click()
    const days = calls.getByRole('row')
    assert.equal(await days.count(), 8)
    // Of the day before, where midnight was between.
    const last = (await days.getByRole('cell').allTextContents()).slice(-2)
    assert.ok(
      last.some((count) => Number(count) >= 1),
      last.join(),
    )
    assert.deepEqual(await axeFaults(page), [])
    const figures = await acts.tab(await acts.signedIn(), `/admin/plugins/${name}/figures?hours=720`)
    await figures.getByRole('region', { name: 'CPU ms' }).getByRole('img').waitFor()
    const told = figures.getByRole('region', { name: 'Calls calls' })
    await told.getByRole('button', { name: 'As a table' }).click()
    assert.equal(await told.getByRole('row').count(), 31)
    await figures.getByRole('table', { name: 'By tenant' }).getByText('Demo').waitFor()
    assert.deepEqual(await axeFaults(figures), [])
    // A range that nobody offers is the usual one.
    await figures.goto(acts.at(`/admin/plugins/${name}/figures?hours=x`))
    await figures.getByRole('table', { name: 'By tenant' }).getByText('Demo').waitFor()
    assert.equal(await figures.getByLabel('Range').inputValue(), '24')
    await page.goto(acts.at('/tenant/plugins/acme.none'))
    await page.getByRole('alert').waitFor()
  })
})
