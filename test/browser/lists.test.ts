import assert from 'node:assert/strict'
import { textOf, uploaded } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('how lists are shown', () => {
  const acts = useActs()

  it('what a list is asked for is kept under a name, and asked for again by it', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants?q=demo&sort=name')
    await page.getByRole('button', { name: 'Save this view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Views' })
    await dialog.getByRole('textbox').fill('The demo')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const views = page.getByRole('combobox', { name: 'Views' })
    await until(() => page.evaluate<boolean>(`document.querySelector('select[data-views]')?.value === 'The demo'`))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL((url) => url.search === '')
    await views.selectOption('The demo')
    await page.waitForURL((url) => url.search === '?q=demo&sort=name')
    await page.reload()
    await views.waitFor()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await dialog.getByRole('button', { name: 'Remove the view The demo' }).click()
    await views.waitFor({ state: 'detached' })
  })

  it('cards are narrowed and ordered like rows', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/marketplace')
    await page.getByRole('link', { name: 'Guestbook' }).waitFor()
    await page.getByLabel('Installed').selectOption('No')
    await page.waitForURL((url) => url.searchParams.get('installed') === 'false')
    await page.getByRole('link', { name: 'Guestbook' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Order').selectOption('Newest first')
    await page.waitForURL((url) => url.searchParams.get('sort') === '-updated')
    await page.getByRole('link', { name: 'Guestbook' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const agents = await acts.tab(
      await acts.signedIn(demoOwner(acts.stage)),
      '/tenant/agents?status=draft&q=none-of-it',
    )
    await agents.getByText('Nothing fits').waitFor()
    await agents.getByRole('button', { name: 'Clear filters' }).click()
    await agents.getByRole('list').getByRole('link').first().waitFor()
  })

  it('plugins of sources are narrowed by what they ask for and where they are from, and tell it before they are installed', async () => {
    const staff = await acts.stage.staff()
    const asked = '/admin/plugins/marketplace?installed=false&sort=name'
    const offers = dataOf(await staff.get(asked))['items'] as unknown as {
      readonly name: string
      readonly capabilities: readonly string[]
    }[]
    const offer = offers.find(({ capabilities }) => capabilities.length > 0) ?? assert.fail('all are installed')
    const [capability = ''] = offer.capabilities
    const page = await acts.tab(await acts.signedIn(), '/admin/marketplace?installed=false')
    await page.getByLabel('Right asked for').selectOption(capability)
    await page.waitForURL((url) => url.searchParams.get('capability') === capability)
    await page.getByLabel('Publisher').selectOption({ index: 1 })
    await page.waitForURL((url) => url.searchParams.has('publisher'))
    await page.getByRole('list', { name: 'Rights' }).first().getByText(capability, { exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at(`/admin/marketplace/${offer.name}`))
    const rights = page.getByRole('region', { name: 'Rights' })
    await rights
      .getByRole('listitem')
      .filter({ hasText: /^(May|Needs|Asks) / })
      .first()
      .waitFor()
    assert.equal(await rights.getByText(capability, { exact: true }).count(), 0)
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^Install \d/ })
      .first()
      .waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.goto(acts.at('/admin/plugins'))
    await page.getByRole('columnheader', { name: 'CPU, 24 h' }).waitFor()
    const sorted = page.waitForResponse(/admin\/plugins\?.*sort=name/)
    await page
      .getByRole('columnheader', { name: 'Plugin' })
      .getByRole('button', { name: 'Plugin', exact: true })
      .click()
    assert.equal((await sorted).status(), 200)
    await page.getByLabel('Source').selectOption('By hand')
    await page.waitForURL((url) => url.searchParams.get('source') === 'upload')
  })

  it('plugins are disabled and enabled, and conversations named and archived, many at once', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins?scope=tenant&q=guestbook')
    const box = page.getByRole('row').filter({ hasText: 'acme.guestbook' }).getByRole('checkbox')
    const batch = page.getByRole('region', { name: 'Selected rows' })
    for (const [verb, after] of [
      ['Disable', 'installed'],
      ['Enable', 'enabled'],
    ] as const) {
      await box.check()
      await batch.getByRole('button', { name: verb, exact: true }).click()
      await batch.waitFor({ state: 'detached' })
      const { status } = dataOf(await (await acts.stage.staff()).get('/admin/plugins/acme.guestbook'))
      assert.equal(status, after)
    }

    const by = await acts.stage.owner()
    const agents = dataOf(await by.get('/admin/ai/agents?status=published'))['items'] as unknown as { code: string }[]
    const asked = `/ai/agent-chat/${agents[0]?.code}/chat`
    for (const title of ['Alpha of many', 'Beta of many']) {
      const { conversation_id: id } = dataOf(await by.post(asked, { message: title }))
      // A model names what nobody has named, whenever it comes to it.
      dataOf(await by.patch(`/ai/agent-chat/conversations/${textOf(id)}`, { title }))
    }
    const mine = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/conversations?q=of many')
    const rows = mine.getByRole('row').filter({ hasText: 'of many' })
    await rows
      .filter({ hasText: 'Alpha' })
      .getByRole('button', { name: /^Rename/ })
      .click()
    const dialog = mine.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Gamma of many')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const named = rows.filter({ hasText: 'Gamma' })
    await named.getByRole('button', { name: 'Pin' }).click()
    await named.getByText('Pinned').waitFor()
    // By their names: one that is pinned changes its place.
    for (const name of ['Beta', 'Gamma']) await rows.filter({ hasText: name }).getByRole('checkbox').check()
    assert.deepEqual(await axeFaults(mine), [])
    await mine.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Archive' }).click()
    await rows.first().waitFor({ state: 'detached' })
    const archived = await by.get('/ai/agent-chat/conversations?archived=true&q=of many')
    assert.equal(dataOf(archived)['total'], 2)
  })

  it('files that were chosen on several pages are deleted together, and one that cannot be is named', async () => {
    const by = await acts.stage.owner()
    const ids: unknown[] = []
    for (const name of ['chosen-a.txt', 'chosen-b.txt', 'chosen-c.txt'])
      ids.push((await uploaded(by, name, Buffer.from(name)))['id'])
    const page = await acts.tab(
      await acts.signedIn(demoOwner(acts.stage)),
      '/tenant/files?q=chosen-&sort=filename&page_size=1',
    )
    for (const name of ['chosen-a.txt', 'chosen-b.txt']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('button', { name: 'Next page' }).click()
    }
    const last = page.getByRole('row').filter({ hasText: 'chosen-c.txt' })
    await last.getByText('local', { exact: true }).waitFor()
    // Somebody else is faster.
    dataOf(await by.delete(`/attachments/${textOf(ids[1])}`))
    const batch = page.getByRole('region', { name: 'Selected rows' })
    await batch.getByRole('button', { name: 'Delete', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Delete 2 files' })
    await asked.getByText('24 B').waitFor()
    await asked.getByRole('button', { name: 'Delete', exact: true }).click()
    const failed = page.getByRole('dialog', { name: '1 could not be changed' })
    await failed.getByText('chosen-b.txt').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await failed.getByRole('button', { name: 'Close' }).last().click()
    await failed.waitFor({ state: 'detached' })
    const { items } = dataOf(await by.get('/attachments?q=chosen-')) as unknown as { items: { filename: string }[] }
    assert.deepEqual(
      items.map(({ filename }) => filename),
      ['chosen-c.txt'],
    )
    const staff = await acts.tab(await acts.signedIn(), '/admin/files?q=chosen-')
    await staff.getByRole('row').filter({ hasText: 'chosen-c.txt' }).getByText('Demo', { exact: true }).waitFor()
  })

  it('rows are gone through, ticked and opened with single keys', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants?sort=name')
    const rows = page.getByRole('row')
    await rows.nth(1).waitFor()
    await page.locator('body').press('j')
    const isFocused = (row: number) =>
      page.evaluate<boolean>(`document.activeElement === document.querySelectorAll('tr')[${row}]`)
    assert.equal(await isFocused(1), true)
    await page.keyboard.press('x')
    await page.getByRole('region', { name: 'Selected rows' }).waitFor()
    assert.equal(await rows.nth(1).getByRole('checkbox').isChecked(), true)
    // Ticking a row leaves one in it.
    await page.keyboard.press('k')
    assert.equal(await isFocused(1), true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/admin\/tenants\/\d+/)
    // Where there are several tables, the keys are those of the one that has the focus.
    await page.goto(acts.at('/admin/system'))
    const tables = page.locator('tbody:has(tr)')
    await tables.nth(1).locator('tr').first().waitFor()
    for (const table of [0, 1]) {
      await tables.nth(table).locator('tr').first().focus()
      await page.keyboard.press('j')
      const bodies = `[...document.querySelectorAll('tbody:has(tr)')]`
      const place = `${bodies}.findIndex((body) => body.contains(document.activeElement))`
      assert.equal(await page.evaluate<number>(place), table)
    }
  })
})
