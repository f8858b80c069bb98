import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { admin, useActs } from './support/stage.ts'

// The first file of the run: nobody has used the set-up link yet.
describe('the first run in a browser', () => {
  const acts = useActs()

  it('6, 7: the printed link makes the administrator in three fields and works once; the first steps lead to a plugin that runs', async () => {
    const { firstRun } = acts.stage
    const link = `/setup#token=${firstRun.setup_token}`
    const context = await acts.person()
    const page = await acts.tab(context, link)
    await page.getByLabel('E-mail').fill(admin.email)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByLabel('Name of this site').fill('Acme')
    await page.waitForURL(({ hash }) => hash === '')
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    await page.getByRole('complementary').getByText('Acme').waitFor()
    await until(async () => (await page.title()).endsWith(' · Acme'))
    await isRefused(await acts.tab(await acts.person(), link))
    await acts.stage.staff()
    await followSteps(context, page)
  })

  async function isRefused(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill('second@stoa.test')
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByText('This link was used already').waitFor()
    await page.getByText('npm run setup-link').waitFor()
  }

  async function followSteps(context: BrowserContext, page: Page): Promise<void> {
    let clicks = 0
    const press = async (name: string, within: Page = page) => {
      clicks += 1
      await within.getByRole('button', { name, exact: true }).click()
    }
    const second = await acts.tab(context, '/admin')
    const steps = second.getByRole('region', { name: 'Getting started' }).getByRole('listitem')
    const ticked = (index: number) => steps.nth(index).getByText('Done').waitFor({ state: 'attached' })
    await second.getByRole('button', { name: 'Open it' }).waitFor()
    await press('Open it')
    await press('Install')
    await ticked(0)
    clicks += 1
    await page.getByRole('checkbox', { name: /Demo/ }).check()
    await press('Allow')
    await page.getByText('It is ready.').waitFor()
    await press('Done')
    await page.getByText('Enabled').first().waitFor()
    await Promise.all([1, 2, 3].map(ticked))
    clicks += 1
    const [owners] = await Promise.all([
      context.waitForEvent('page'),
      second.getByRole('button', { name: 'Look' }).click(),
    ])
    await press('Enable', owners)
    await owners.getByRole('button', { name: 'Disable' }).waitFor()
    assert.ok(clicks <= 8, `${clicks} clicks`)
    const demo = (await (await acts.stage.staff()).get('/admin/plugins/acme.guestbook')).body['data']
    assert.equal(demo?.['status'], 'enabled')
    await second.getByRole('region', { name: 'Getting started' }).waitFor({ state: 'detached' })
    // What was done stays done.
    await second.reload()
    await second.getByRole('region', { name: 'Needs attention' }).waitFor()
    await second.waitForLoadState('networkidle')
    assert.equal(await second.getByRole('region', { name: 'Getting started' }).count(), 0)
  }
})
