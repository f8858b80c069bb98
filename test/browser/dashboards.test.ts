import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('the dashboards of the console', function () {
  this.timeout(180_000)
  const acts = useActs()
  const titles = (page: Page) => page.locator('.board h2').allInnerTexts()

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
