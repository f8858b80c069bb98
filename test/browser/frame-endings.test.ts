import assert from 'node:assert/strict'
import type { Frame, Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { framed, giveFramed } from './support/framed.ts'
import { demoOwner, useActs } from './support/stage.ts'

/** A header on every request would make a browser ask before it loads the scripts of a page with an origin of its own. */
const plain = { extraHTTPHeaders: {} }

/** Answered after what was said before it. */
const heard = `(stoa.setDirty(true), stoa.get('/echo/heard'))`

interface Told {
  readonly title: string
  readonly body: string
}

describe('how pages of plugins are left', () => {
  const acts = useActs()
  let owner: Api

  before(async () => {
    owner = await giveFramed(acts.stage)
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/plugins/${framed}?purge=true`)
  })

  it('36: a page whose plugin is disabled is told so before it goes', async () => {
    const { page, inside } = await opened(`/plugins/${framed}/book`, 'page')
    await inside.evaluate(`void stoa.on('teardown', ({ reason }) => console.log('ended: ' + reason))`)
    const told = page.waitForEvent('console', (message) => message.text() === 'ended: disabled')
    dataOf(await owner.post(`/tenant/plugins/${framed}/disable`))
    await told
    await page.getByText('This page is not there').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    dataOf(await owner.post(`/tenant/plugins/${framed}/enable`))
    await page.frameLocator('iframe').getByText('demo read').waitFor()
  })

  it('36: a widget is told so as well', async () => {
    const { page, inside } = await opened('/tenant', 'inline')
    await inside.evaluate(`void stoa.on('teardown', ({ reason }) => console.log('ended: ' + reason))`)
    const told = page.waitForEvent('console', (message) => message.text() === 'ended: disabled')
    dataOf(await owner.post(`/tenant/plugins/${framed}/disable`))
    await told
    await page.locator('iframe').waitFor({ state: 'detached' })
    dataOf(await owner.post(`/tenant/plugins/${framed}/enable`))
    await page.frameLocator('iframe').getByText('demo read list inline').waitFor()
  })

  it('2.5: the tab is called as the page of the plugin calls itself', async () => {
    const { page, inside } = await opened(`/plugins/${framed}/book`, 'page')
    // Before it stands how much is unread, which other tests may have left.
    const isCalled = (title: string) => until(async () => (await page.title()).replace(/^\(\d+\) /, '') === title)
    await isCalled('Book · Framed · Demo')
    await inside.evaluate(`void stoa.setTitle('Order 9')`)
    await isCalled('Order 9 · Book · Framed · Demo')
  })

  it('a page that does not answer is hidden, and begins anew when it is shown', async () => {
    const { page, inside } = await opened(`/plugins/${framed}/book`, 'page')
    await inside.evaluate('void setTimeout(() => { for (;;); })')
    await page.getByText('It does not answer').waitFor()
    await page.getByRole('button', { name: 'Report to the administrator' }).click()
    const report = page.getByRole('dialog', { name: 'Report Book' })
    await report.getByLabel('What is wrong').fill('It stays empty.')
    assert.deepEqual(await axeFaults(page), [])
    await report.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByText('The administrators were told').waitFor()
    const { items } = dataOf(await owner.get('/notifications')) as unknown as { items: readonly Told[] }
    const told = items.find(({ title }) => title === 'A page of Framed is reported: Book')
    assert.match(told?.body ?? '', /says: it does not answer\. “It stays empty\.”$/)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('Hidden for now').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.frameLocator('iframe').getByText('demo read').waitFor()
  })

  it('16: what was changed in a widget is asked for before its page is left', async () => {
    const { page, inside } = await opened('/tenant', 'inline')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
    })
    await inside.evaluate(heard)
    const book = page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Book', exact: true })
    await book.click()
    assert.match(asked[0] ?? '', /not saved/)
    assert.equal(new URL(page.url()).pathname, '/console/tenant')
    await book.click()
    await page.waitForURL(/\/plugins\/acme\.framed\/book$/)
    assert.equal(asked.length, 2)
  })

  it('16: what was changed within a notification is there when the panel is opened again', async () => {
    dataOf(await owner.post(`/tenant/plugins/${framed}/api/tell`, { title: 'Order 9' }))
    const { page } = await opened('/notifications', undefined)
    const bell = page.getByRole('button', { name: /^Notifications, / })
    await bell.click()
    const panel = page.getByRole('region', { name: 'Notifications' })
    const more = panel.getByRole('button', { name: 'Show more of Order 9' })
    await more.click()
    await panel.frameLocator('iframe').getByText('demo read').waitFor()
    const word = panel.frameLocator('iframe').getByLabel('Word')
    await word.fill('half a sentence')
    const frame = page.frames().find((each) => each.url().includes('/plugin-ui/')) ?? assert.fail('there is no frame')
    await frame.evaluate(heard)
    await bell.click()
    await panel.waitFor({ state: 'hidden' })
    await bell.click()
    assert.equal(await word.inputValue(), 'half a sentence')

    const asked = page.waitForEvent('dialog')
    const pressed = more.click()
    const dialog = await asked
    assert.match(dialog.message(), /not saved/)
    await dialog.accept()
    await pressed
    await panel.locator('iframe').waitFor({ state: 'detached' })
  })

  /** A page in a tab whose faults are those of what is tried in it, and the frame in it once that is there. */
  async function opened(
    place: string,
    mode: string | undefined,
  ): Promise<{ readonly page: Page; readonly inside: Frame }> {
    const page = await (await acts.signedIn(demoOwner(acts.stage), plain)).newPage()
    await page.goto(acts.at(place))
    if (mode === undefined) return { page, inside: page.mainFrame() }
    await page.frameLocator('iframe').getByText(`demo read list ${mode}`).waitFor()
    const inside = page.frames().find((each) => each.url().includes('/plugin-ui/'))
    return { page, inside: inside ?? assert.fail('there is no frame') }
  }
})
