import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

describe('the columns of lists', () => {
  const acts = useActs()

  /** Without the box that ticks all rows. */
  const headings = async (page: Page) => {
    const texts = await page.getByRole('columnheader').allInnerTexts()
    return texts.filter((text) => text !== '')
  }

  it('columns are hidden and moved, which is kept for the reader, and put back', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins')
    await page.getByRole('columnheader', { name: 'Trust' }).waitFor()
    const usual = await headings(page)
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await dialog.getByRole('checkbox', { name: 'Version' }).uncheck()
    await dialog.getByRole('button', { name: 'Move Source up' }).press('Enter')
    await page.keyboard.press('Enter')
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('columnheader', { name: 'Version' }).waitFor({ state: 'detached' })
    const chosen = ['Plugin', 'Source', 'Status', 'Trust']
    const shown = async () => (await headings(page)).slice(0, 4)
    assert.deepEqual(await shown(), chosen)
    await page.reload()
    await page.getByRole('columnheader', { name: 'Trust' }).waitFor()
    assert.deepEqual(await shown(), chosen)
    await page.getByRole('button', { name: 'Columns' }).click()
    await dialog.getByRole('button', { name: 'As it was' }).click()
    await page.getByRole('columnheader', { name: 'Version' }).waitFor()
    assert.deepEqual(await headings(page), usual)
  })

  it('columns are made wider by mouse and by keys, which is kept, and are by themselves again', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    const heading = page.getByRole('columnheader', { name: 'Code' })
    const edge = heading.getByRole('separator', { name: 'Column width' })
    await edge.waitFor()
    const widthOf = async () => Math.round((await heading.boundingBox())?.width ?? 0)
    const keptOf = async () => {
      const staff = await acts.stage.staff()
      const { items } = dataOf(await staff.get('/preferences')) as unknown as {
        readonly items: readonly { readonly key: string; readonly value: unknown }[]
      }
      const tables = items.find(({ key }) => key === 'console.tables')?.value as
        Readonly<Record<string, { readonly widths?: Readonly<Record<string, number>> }>> | undefined
      return tables?.['/admin/tenants']?.widths?.['code']
    }
    const usual = await widthOf()
    const box = await edge.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + 5, { steps: 4 })
    await page.mouse.up()
    await until(async () => (await keptOf()) === usual + 90)
    assert.equal(await widthOf(), usual + 90)
    await edge.press('ArrowRight')
    await until(async () => (await keptOf()) === usual + 106)
    assert.deepEqual(await axeFaults(page), [])
    await page.reload()
    await edge.waitFor()
    await until(async () => (await widthOf()) === usual + 106)
    await edge.press('Delete')
    await until(async () => (await keptOf()) === undefined)
    await until(async () => (await widthOf()) < usual + 90)
  })
})
