import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'
import { holdPlugins } from './support/table-lock.ts'

describe('what keeps a plugin in order', () => {
  const acts = useActs()
  let staff: Api

  before(async () => {
    staff = await acts.stage.staff()
  })

  const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

  it('27: the steps of a disable, an enable, a repair and a cleaning up are shown on the page of the plugin', async () => {
    await installAndEnable(staff, await packSmall('acme.followed'))
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins/acme.followed')
    // The page has a card of this name as well.
    const running = (kind: string) =>
      page.locator('[aria-labelledby^="running-"]').filter({ has: page.getByRole('heading', { name: kind }) })
    const follow = async (button: string, kind: string, step: string, begin = () => press(page, button)) => {
      await using held = await holdPlugins(acts.stage)
      assert.ok(held)
      await begin()
      await running(kind).getByText(`${step} – running`).waitFor()
    }
    const over = (kind: string) => running(kind).waitFor({ state: 'detached' })
    await follow('Disable', 'Disable', 'Record')
    await over('Disable')
    await follow('Enable', 'Enable', 'Record')
    await over('Enable')
    await page.goto(acts.at('/admin/plugins/acme.followed/maintenance'))
    await follow('Repair', 'Repair', 'Record')
    await over('Repair')
    await page.getByText('It was looked over and repaired').first().waitFor()
    await press(page, 'Clean up by force')
    await page
      .getByRole('dialog')
      .getByRole('region', { name: 'What happens' })
      .getByText('Its permissions go')
      .waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('dialog').getByLabel('Type acme.followed').fill('acme.followed')
    await page.getByRole('dialog').getByRole('button', { name: 'Clean up by force' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plugins', exact: true }).waitFor()
    assert.equal((await staff.get('/admin/plugins/acme.followed')).status, 404)
    await page.goto(acts.at('/admin/plugin-operations'))
    await page.getByLabel('Kind').selectOption('Forced clean-up')
    await page.waitForURL((url) => url.searchParams.get('kind') === 'force_cleanup')
    const line = page.getByRole('row').filter({ hasText: 'acme.followed' })
    await line.getByText('admin').first().waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'By' }).count(), 1)
  })

  it('what lies about of a plugin that is not installed is told before it is cleaned up', async () => {
    const left = 'acme.left'
    await installAndEnable(staff, await packSmall(left))
    dataOf(await staff.post(`/admin/plugins/${left}/disable`))
    await acts.stage.host.kernel.database.knex('plugins').where({ name: left }).delete()
    const page = await acts.tab(await acts.signedIn(), '/admin/orphans')
    const line = page.getByRole('row').filter({ hasText: left })
    await line.getByRole('button', { name: 'Clean up by force' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^packages: /).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel(`Type ${left}`).fill(left)
    await dialog.getByRole('button', { name: 'Clean up by force' }).click()
    await dialog.waitFor({ state: 'detached' })
    await line.waitFor({ state: 'detached' })
  })
})
