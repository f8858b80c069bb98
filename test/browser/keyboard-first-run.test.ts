import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { corePlugins } from '../../core-plugins/index.ts'
import type { FirstRun } from '../support/first-run.ts'
import { startTestKernel, type TestKernel } from '../support/kernel.ts'
import { pressByKey, tabTo } from './support/by-keyboard.ts'
import { watchPage } from './support/chromium.ts'
import { admin, useActs } from './support/stage.ts'

describe('the first run without a mouse', () => {
  const acts = useActs()
  /** A platform that nobody has set up yet. */
  let host: TestKernel
  let firstRun: FirstRun

  before(async () => {
    host = await startTestKernel({ plugins: corePlugins, env: { STOA_DEMO: '1' } })
    firstRun = JSON.parse(await readFile(path.join(host.dataDir, 'first-run.json'), 'utf8')) as FirstRun
  })
  after(() => host[Symbol.asyncDispose]())

  it('50: the administrator is made (6), and the first steps are gone (7), by keyboard alone', async () => {
    const context = await acts.person()
    const page = await context.newPage()
    const { faults } = watchPage(page, host.url)
    await page.goto(`${host.url}/console/setup#token=${firstRun.setup_token}`)
    for (const [label, text] of [
      ['E-mail', admin.email],
      ['Password', admin.password],
      ['Name of this site', 'By keys'],
    ] as const) {
      await tabTo(page, page.getByLabel(label))
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()

    await press(page, 'Open it')
    await press(page, 'Install')
    await pressByKey(page, page.getByRole('checkbox', { name: /Demo/ }), 'Space')
    assert.ok(await page.getByRole('checkbox', { name: /Demo/ }).isChecked())
    await press(page, 'Allow')
    await page.getByText('It is ready.').waitFor()
    await press(page, 'Done')
    await page.getByText('Enabled').first().waitFor()
    const menu = page.getByRole('navigation', { name: 'Main navigation' })
    await pressByKey(page, menu.getByRole('link', { name: 'Dashboard', exact: true }))
    const [owners] = await Promise.all([context.waitForEvent('page'), press(page, 'Look')])
    const { faults: further } = watchPage(owners, host.url)
    await press(owners, 'Enable')
    await owners.getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByRole('region', { name: 'Getting started' }).waitFor({ state: 'detached' })
    assert.deepEqual([...faults, ...further], [])
  })

  async function press(page: Page, name: string): Promise<void> {
    await pressByKey(page, page.getByRole('button', { name, exact: true }))
  }
})
