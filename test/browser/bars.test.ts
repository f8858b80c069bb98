import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { watchPage } from './support/chromium.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

const group = '/admin/configs/groups/platform_maintenance'
const message = 'We are moving the shelves.'

describe('what stands above a page, and over it', () => {
  const acts = useActs()

  it('maintenance lies over the pages of tenants until it ends by itself, and what was typed is still there; staff are told', async () => {
    const by = await acts.stage.staff()
    const staff = await acts.tab(await acts.signedIn(), '/admin/tenants')
    await accountOf(staff)
    const context = await acts.signedIn(demoOwner(acts.stage))
    const [page, late] = [await context.newPage(), await context.newPage()]
    const watched = [page, late].map((each) => watchPage(each, acts.stage.host.url))
    await page.goto(acts.at('/tenant/settings/tenant_basic'))
    await page.getByLabel('ICP number', { exact: true }).fill('typed')
    const dialog = page.getByRole('dialog', { name: 'Maintenance' })
    dataOf(await by.put(group, { maintenance_mode: true, maintenance_message: message }))
    try {
      await staff.getByText('Maintenance: users of tenants cannot get in.').waitFor()
      assert.deepEqual(await axeFaults(staff), [])
      // What the page hears news by is ended, and is refused when it comes back.
      await dialog.getByText(message).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await dialog.getByRole('button', { name: 'Try again now' }).click()
      await dialog.getByText(message).waitFor()
      // A tab that is opened meanwhile says so as well.
      await late.goto(acts.at('/files'))
      await late.getByRole('dialog', { name: 'Maintenance' }).getByText(message).waitFor()
    } finally {
      dataOf(await by.put(group, { reset: ['maintenance_mode', 'maintenance_message'] }))
    }
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('ICP number', { exact: true }).inputValue(), 'typed')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('0 changes').waitFor()
    await late.getByRole('heading', { level: 1, name: 'My files' }).waitFor()
    await staff.getByText('Maintenance: users of tenants cannot get in.').waitFor({ state: 'detached' })
    const faults = watched.flatMap((each) => each.faults)
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('503 ')),
      [],
    )
    dataOf(await (await acts.stage.owner()).put('/tenant/configs/groups/tenant_basic', { reset: ['icp'] }))
  })

  it('4.12: the colour of a brand is that of buttons and links, in shades that can be read in both themes', async () => {
    const by = await acts.stage.staff()
    const owner = await acts.stage.owner()
    const accentOf = (page: Page) =>
      page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    dataOf(await by.put('/admin/configs/groups/platform_basic', { brand_color: '#ffe600' }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_basic', { brand_color: '#7a1f5c' }))
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const staff = await acts.tab(await acts.signedIn(undefined, { colorScheme }), '/admin/tenants')
        await staff.getByRole('link', { name: 'Demo' }).waitFor()
        assert.equal((await accentOf(staff)) === '#ffe600', colorScheme === 'dark')
        assert.notEqual(await accentOf(staff), colorScheme === 'dark' ? '#9fb0ff' : '#3b4fb8')
        assert.deepEqual(await axeFaults(staff), [])
        const page = await acts.tab(
          await acts.signedIn(demoOwner(acts.stage), { colorScheme }),
          '/tenant/settings/tenant_basic',
        )
        await page.getByLabel('Brand colour', { exact: true }).waitFor()
        assert.equal((await accentOf(page)) === '#7a1f5c', colorScheme === 'light')
        assert.deepEqual(await axeFaults(page), [])
        const open = await acts.tab(await acts.person({ colorScheme }), '/login')
        await open.getByRole('heading', { name: 'Sign in' }).waitFor()
        await until(async () => (await accentOf(open)) === (await accentOf(staff)))
        assert.deepEqual(await axeFaults(open), [])
      }
      const defaults = await acts.tab(await acts.signedIn(), '/admin/configs/tenant_basic')
      await defaults.getByText('1 tenant has its own').first().waitFor()
      assert.deepEqual(await axeFaults(defaults), [])
    } finally {
      dataOf(await by.put('/admin/configs/groups/platform_basic', { reset: ['brand_color'] }))
      dataOf(await owner.put('/tenant/configs/groups/tenant_basic', { reset: ['brand_color'] }))
    }
  })

  it('2.4: who signs in as somebody else over a page with something unsaved is asked first', async () => {
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/tenant/settings/tenant_basic')
    await page.getByLabel('ICP number', { exact: true }).fill('typed')
    // Ended in another place.
    const other = await acts.tab(context, '/files')
    await (await accountOf(other)).waitFor()
    await page.evaluate(
      "new BroadcastChannel('stoa').postMessage({ type: 'ended', scope: 'tenant', cause: 'signed_out' })",
    )
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    const asked = page.getByRole('dialog', { name: 'Load the page anew?' })
    await again.getByRole('button', { name: 'Sign in as somebody else' }).click()
    await asked.getByText('What is not saved on this page is lost then.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await asked.getByRole('button', { name: 'Stay here' }).click()
    await again.waitFor()
    assert.equal(await page.getByLabel('ICP number', { exact: true }).inputValue(), 'typed')
    await again.getByRole('button', { name: 'Sign in as somebody else' }).click()
    await asked.getByRole('button', { name: 'Load it anew' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('4.4: the meter of a new password tells which kinds of characters are missing', async () => {
    const by = await acts.stage.staff()
    dataOf(await by.put('/admin/configs/groups/platform_security', { password_complexity: 'all_classes' }))
    try {
      const page = await acts.tab(await acts.signedIn(), '/profile/security')
      await page.getByText('among them: a capital letter, a small letter, a digit, and a symbol.').waitFor()
      await page.getByLabel('New password').fill('tulips in the rain')
      await page.getByText('Still missing: a capital letter, a digit, and a symbol').waitFor()
      await page.getByLabel('New password').fill('Tulips, 4 in the rain')
      await page.getByText('Strong', { exact: true }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
    } finally {
      dataOf(await by.put('/admin/configs/groups/platform_security', { reset: ['password_complexity'] }))
    }
  })
})
