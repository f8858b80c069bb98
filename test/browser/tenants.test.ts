import assert from 'node:assert/strict'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

const name = 'acme.greeter'

describe('the life of a tenant in the console', () => {
  const acts = useActs()

  it('49: it is made, given a plugin, looked at, ended, and deleted, with its name typed', async () => {
    const staff = await acts.stage.staff()
    await installAndEnable(staff, await packSmall(name, { title: { default: 'Greeter' } }))
    const page = await acts.tab(await acts.signedIn(undefined, { reducedMotion: 'reduce' }), '/admin/tenants')
    await page.getByRole('button', { name: 'New tenant' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Short Lived')
    await dialog.getByLabel('E-mail of the owner').fill('owner@short.test')
    await dialog.getByRole('button', { name: 'Create the tenant' }).click()
    await dialog.getByRole('link', { name: acts.at('/login?tenant=short-lived') }).waitFor()
    await dialog.getByText('Password of the owner').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('greeter')
    await dialog.getByRole('checkbox', { name: /Greeter/ }).check()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Give 1 plugin', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Short Lived' }).waitFor()
    const id = Number(/tenants\/(\d+)/.exec(page.url())?.[1])

    await page.getByRole('link', { name: 'Plugins' }).last().click()
    await page.getByRole('link', { name: 'Greeter' }).waitFor()
    await page.getByRole('button', { name: 'Take away' }).click()
    await dialog.getByRole('button', { name: 'Take away' }).click()
    await page.getByText('No plugin is given to this tenant').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Give plugins' }).click()
    await dialog.getByRole('button', { name: 'Give', exact: true, disabled: true }).waitFor()
    // Whoever wants no motion gets none, whatever a component wishes.
    const longest = `Math.max(...[...document.querySelectorAll('.button')].map((each) => parseFloat(getComputedStyle(each).transitionDuration)))`
    assert.ok((await page.evaluate<number>(longest)) < 0.001)
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('greeter')
    await dialog.getByRole('checkbox', { name: /Greeter/ }).check()
    await dialog.getByRole('button', { name: 'Give', exact: true, disabled: false }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByRole('link', { name: 'Greeter' }).waitFor()
    const given = dataOf(await staff.get(`/admin/plugins?tenant_id=${id}`))
    assert.equal(Number(given['total']), 1)
    await page.getByRole('button', { name: 'Take away' }).click()
    await dialog.getByRole('button', { name: 'Take away' }).click()
    await page.getByText('No plugin is given to this tenant').waitFor()

    await page.getByRole('link', { name: 'Usage' }).last().click()
    await page.getByText('No plugin was called.').waitFor()
    await page.getByRole('heading', { name: /Requests/ }).waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByText('Nothing differs').waitFor()
    const { access_token: acting } = dataOf(await staff.post(`/admin/tenants/${id}/impersonate`, {}), 201)
    const changed = { login_title: 'Come in' }
    dataOf(await staff.as(acting).put('/tenant/configs/groups/tenant_login', changed))
    await page.reload()
    await page.getByRole('row', { name: /Title/ }).getByText('Come in').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.getByRole('link', { name: 'Overview' }).last().click()
    await page.getByLabel('Ends').fill('2031-05-06')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    const { expires_at: end } = dataOf(await staff.get(`/admin/tenants/${id}`))
    assert.match(textOf(end), /^2031-05-0[5-7]T/)
    await until(async () => (await page.getByLabel('Ends').inputValue()) === '2031-05-06')
    assert.deepEqual(await axeFaults(page), [])

    await page.goto(acts.at('/admin/tenants?q=short-lived'))
    const row = page.getByRole('row').filter({ hasText: 'Short Lived' })
    await row.waitFor()
    const titles = await page.getByRole('columnheader').allTextContents()
    const cells = await row.getByRole('cell').allTextContents()
    const told = ['Users', 'Plugins', 'Owner'].map((title) => cells[titles.findIndex((each) => each.trim() === title)])
    assert.deepEqual(told, ['1', '0', 'owner@short.test'])
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog', { name: 'Disable 1 tenant?' }).getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Enable' }).click()
    await row.getByText('Active').waitFor()
    await row.getByRole('link', { name: 'Short Lived' }).click()
    await page.getByRole('link', { name: 'History' }).last().click()
    await page.getByRole('button', { name: 'Details: Changed a tenant' }).first().waitFor()
    await page.getByRole('button', { name: 'Delete the tenant' }).click()
    await dialog.getByRole('button', { name: 'Delete the tenant', disabled: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Type short-lived').fill('short-lived')
    await dialog.getByRole('button', { name: 'Delete the tenant' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    await page.getByText('Short Lived was deleted').waitFor()
    await until(async () => (await staff.get(`/admin/tenants/${id}`)).status === 404)
  })
})
