import assert from 'node:assert/strict'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

describe('the search of the console', function () {
  this.timeout(180_000)
  const acts = useActs()

  it('leads from the palette to all that was found, whose address can be kept', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    await page.getByRole('link', { name: 'Demo' }).first().waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: /^Go to or find/ })
    await palette.fill('demo')
    await page.getByRole('option', { name: 'Demo demo' }).waitFor()
    await page.getByRole('option', { name: 'Search everywhere for “demo”' }).click()
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
    assert.match(page.url(), /\/search\?q=demo$/)
    await page.reload()
    const tenants = page.getByRole('region', { name: 'Tenants' })
    await tenants.getByRole('link', { name: 'Demo' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('searchbox').fill('operations')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Operations' }).waitFor()
    await page.getByRole('searchbox').fill('there is no such thing')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing fits' }).waitFor()
  })
})
