import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('the administration of the platform', () => {
  const acts = useActs()

  it('permissions: cells are walked with the arrow keys, and tell who has it, how, and how many', async () => {
    const by = await acts.stage.staff()
    const wish = { code: 'auditing', name: 'Auditing', permissions: ['platform_audit:*'], data_scope: 'ALL' }
    const role = dataOf(await by.post('/admin/roles', wish), 201)
    const page = await acts.tab(await acts.signedIn(), '/admin/permissions')
    await page.getByLabel('Plugin').selectOption('access')
    await page.getByRole('searchbox', { name: 'Find a permission' }).fill('platform_audit')
    const table = page.getByRole('table', { name: 'Permissions' })
    const cell = (name: RegExp) => table.getByRole('button', { name })
    await cell(/^Auditing, .*: with all of platform_audit$/)
      .first()
      .waitFor()
    assert.deepEqual(await axeFaults(page), [])
    // Tab reaches one cell alone.
    assert.equal(await table.locator('td button[tabindex="0"]').count(), 1)
    await table.locator('td button[tabindex="0"]').focus()
    const here = () => focused(page)
    const start = await here()
    await page.keyboard.press('ArrowRight')
    const right = await here()
    await page.keyboard.press('ArrowDown')
    const below = await here()
    await page.keyboard.press('ArrowUp')
    assert.equal(await here(), right)
    await page.keyboard.press('End')
    const end = await here()
    await page.keyboard.press('Home')
    assert.equal(await here(), start)
    assert.equal(new Set([start, right, below, end]).size, 4, [start, right, below, end].join(' | '))
    assert.equal(await table.locator('td button[tabindex="0"]').count(), 1)
    await cell(/^Auditing, .*: with all of platform_audit$/)
      .first()
      .press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Who may: / })
    const line = (name: string) => dialog.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
    await line('Auditing').getByText('with all of platform_audit').waitFor()
    await line('Auditing').getByText('0 people hold it').waitFor()
    await line('Super administrator').getByText('with everything').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    dataOf(await by.delete(`/admin/roles/${Number(role['id'])}`))
  })

  it('permissions: whoever lists roles alone is told who has one, asks for no holders and is led to no role', async () => {
    const by = await acts.stage.staff()
    const wish = { code: 'listing', name: 'Listing', permissions: ['platform_role:list'], data_scope: 'ALL' }
    dataOf(await by.post('/admin/roles', wish), 201)
    const who = { account: 'listing@stoa.test', password: 'a long enough passphrase' }
    dataOf(await by.post('/admin/users', { email: who.account, password: who.password, roles: [wish.code] }), 201)
    const page = await acts.tab(await acts.signedIn(who), '/admin/permissions')
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url())
    })
    await page.getByRole('searchbox', { name: 'Find a permission' }).fill('platform_role')
    await page
      .getByRole('table', { name: 'Permissions' })
      .getByRole('button', { name: /^Listing, / })
      .first()
      .press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Who may: / })
    await dialog.getByRole('listitem').filter({ hasText: 'Super administrator' }).getByText('with everything').waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual([refused, await dialog.getByRole('link').count()], [[], 0])
    assert.deepEqual(await axeFaults(page), [])
  })

  it('menus: an entry is named in both languages, which are seen beside the form before they are saved', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin/menus')
    try {
      await page.getByRole('button', { name: 'Arrange Roles' }).last().click()
      const dialog = page.getByRole('dialog')
      const preview = dialog.getByRole('region', { name: 'In the menu' })
      await preview.getByText('角色').waitFor()
      await dialog.getByLabel('Title in English').fill('Ranks')
      await dialog.getByLabel('Title in 简体中文').fill('职级')
      await preview.getByText('Ranks', { exact: true }).waitFor()
      await preview.getByText('职级', { exact: true }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const owner = await acts.stage.owner()
      const titleIn = async (language: string) => {
        const answer = await owner.get('/permissions/menus', { headers: { 'accept-language': language } })
        return JSON.stringify(dataOf(answer)['items'])
      }
      assert.match(await titleIn('en'), /"tenant_roles","title":"Ranks"/)
      assert.match(await titleIn('zh-CN'), /"tenant_roles","title":"职级"/)
      const tenant = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant')
      const menu = tenant.getByRole('navigation', { name: 'Main navigation' })
      await menu.getByRole('link', { name: 'Ranks' }).waitFor()
      await page.getByRole('button', { name: 'Arrange Ranks' }).click()
      assert.equal(await dialog.getByLabel('Title in 简体中文').inputValue(), '职级')
    } finally {
      await by.delete('/admin/menus/tenant_roles')
    }
  })

  it('default preferences: before they are saved it is told how many personal choices that removes', async () => {
    const by = await acts.stage.staff()
    const path = '/admin/preferences/global'
    const choice = async () => {
      const { items } = dataOf(await by.get('/preferences?keys=density')) as unknown as { items: { source: string }[] }
      return items[0]?.source
    }
    dataOf(await by.patch('/preferences', { density: 'compact' }))
    try {
      const page = await acts.tab(await acts.signedIn(), '/admin/preferences')
      await page.getByLabel('Density').selectOption({ index: 1 })
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change what everybody begins with?' })
      await dialog.getByText('1 personal choice of what changes here would be removed.').waitFor()
      assert.equal(await choice(), 'personal')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved. 1 personal choice was removed').waitFor()
      await until(async () => (await choice()) !== 'personal')
    } finally {
      dataOf(await by.put(path, { density: null }))
      await by.delete('/preferences/density')
    }
  })
})

function focused(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(`document.activeElement?.getAttribute('aria-label')`)
}
