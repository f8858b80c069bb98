import assert from 'node:assert/strict'
import type { FrameLocator, Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { around as name, aroundFiles, packAround, shows, widgets } from './support/around-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { overflowOf, untranslated } from './support/on-a-phone.ts'
import { demoOwner, useActs } from './support/stage.ts'

const many = 'acme.many'
/** A frame of another origin may send no header of ours. */
const plain = { extraHTTPHeaders: {} }

describe('what plugins show around the pages of the console', () => {
  const acts = useActs()
  let owner: Api

  before(async () => {
    owner = await acts.stage.owner()
    await give(await packAround(), name)
  })
  after(async () => {
    dataOf(await (await acts.stage.staff()).delete(`/admin/plugins/${name}?purge=true`))
  })

  async function give(zip: Buffer, plugin: string): Promise<void> {
    const staff = await acts.stage.staff()
    await installAndEnable(staff, zip)
    const tenants = dataOf(await staff.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
    dataOf(await staff.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    dataOf(await owner.post(`/tenant/plugins/${plugin}/enable`))
  }
  const opened = async (path = '/notifications', more: object = {}) =>
    acts.tab(await acts.signedIn(demoOwner(acts.stage), { ...plain, ...more }), path)
  const inside = (page: Page, title: string): FrameLocator => page.frameLocator(`iframe[title="${title} · Around"]`)
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.title')
  const panel = (page: Page, title: string) => page.getByRole('dialog', { name: `Panel ${title}`, exact: true })
  const seen = (page: Page, title: string, words: string) =>
    inside(page, title).getByText(words, { exact: false }).waitFor()

  it('three are in the header, within 160 by 32 pixels, and say whose they are; the rest is in a menu', async () => {
    const page = await opened()
    const row = page.getByRole('list', { name: 'In the header, from plugins' })
    for (const title of widgets.slice(0, 3)) {
      await seen(page, title, `header_widget ${title.toLowerCase()} tenant / seen`)
      const widget = row.getByRole('region', { name: `${title} · Around` })
      await widget.getByText(`${title} · Around`, { exact: true }).waitFor()
      // What it counts.
      await widget.getByText(String(title.length), { exact: true }).waitFor()
      const box = (await widget.locator('iframe').boundingBox()) ?? assert.fail('it is not drawn')
      assert.ok(box.width <= 160 && box.height === 32, JSON.stringify(box))
    }
    assert.equal(await page.locator('iframe').count(), 3)
    assert.deepEqual(await axeFaults(page), [])
    await row.getByRole('button', { name: 'About Two' }).click()
    await page.getByText(`${name} 1.0.0`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1 more from plugins' }).press('Enter')
    await seen(page, 'Four', 'header_widget four tenant')
    assert.deepEqual(await axeFaults(page), [])
  })

  it('those of the platform’s area are there alone', async () => {
    const page = await acts.tab(await acts.signedIn(undefined, plain), '/notifications')
    await seen(page, 'Staff', 'header_widget staff admin')
    assert.equal(await page.locator('iframe').count(), 1)
    assert.equal(await page.getByRole('complementary', { name: 'Floating panels of plugins' }).count(), 0)
  })

  it('a click in a widget opens the plugin’s panel where it wants; Esc in it closes, and the widget has the focus again', async () => {
    const page = await opened()
    await inside(page, 'Two').getByRole('button', { name: 'Ask the desk' }).click()
    await seen(page, 'Desk', 'floating_panel desk tenant /from/two seen')
    const box = (await panel(page, 'Desk').boundingBox()) ?? assert.fail('it is not drawn')
    assert.ok(box.width <= 480 && box.height <= 720 && box.x > 700, JSON.stringify(box))
    await page.locator('[role=dialog]:focus').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    // By the keys alone: through the tools of the panel, into its page.
    for (let at = 0; at < 4; at++) await page.keyboard.press('Tab')
    await inside(page, 'Desk').locator('button:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').getByRole('button', { name: 'Desk 7' }).waitFor()
    // What its page asks is answered first.
    await inside(page, 'Desk').getByRole('button', { name: 'Count' }).click({ button: 'right' })
    const question = page.getByRole('dialog').filter({ hasText: 'Is it so?' }).and(page.locator('dialog'))
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await panel(page, 'Desk').isVisible(), true)
    await inside(page, 'Desk').getByRole('button', { name: 'Count' }).focus()
    await page.keyboard.press('Escape')
    await panel(page, 'Desk').waitFor({ state: 'hidden' })
    await until(async () => (await focused(page)) === 'Two · Around')
  })

  it('one is open at a time, and a closed one runs on for five minutes', async () => {
    const page = await opened('/notifications')
    const clock = page.clock
    const dock = page.getByRole('complementary', { name: 'Floating panels of plugins' })
    const opener = dock.getByRole('button', { name: 'Desk' })
    await opener.press('Enter')
    await seen(page, 'Desk', 'floating_panel desk tenant / seen')
    const made = await inside(page, 'Desk').locator('body').getAttribute('data-made')
    await dock.getByRole('button', { name: 'Shelf' }).press('Enter')
    await seen(page, 'Shelf', 'floating_panel shelf tenant / seen')
    await panel(page, 'Desk').waitFor({ state: 'hidden' })
    await inside(page, 'Desk').getByText('floating_panel desk tenant / unseen').waitFor({ state: 'attached' })
    await opener.press('Enter')
    await seen(page, 'Desk', 'floating_panel desk tenant / seen')
    assert.equal(await inside(page, 'Desk').locator('body').getAttribute('data-made'), made)

    await clock.install()
    await page.keyboard.press('Escape')
    await page.locator('[data-panel]:focus').waitFor()
    await clock.fastForward('04:30')
    assert.equal(await page.locator('iframe[title="Desk · Around"]').count(), 1)
    await clock.fastForward('00:31')
    await page.locator('iframe[title="Desk · Around"]').waitFor({ state: 'detached' })
  })

  it('a notification of the plugin shows its page once it is opened, and no higher than 400 pixels', async () => {
    dataOf(await owner.post(`/tenant/plugins/${name}/api/tell`, { title: 'Order 5' }))
    const page = await opened()
    const more = page.getByRole('main').getByRole('button', { name: 'Show more of Order 5' })
    await more.waitFor()
    assert.equal(await page.locator('iframe[title="Order · Around"]').count(), 0)
    await more.press('Enter')
    await seen(page, 'Order', 'notification_ui order tenant / seen Order 5 400')
    const box = await page.locator('iframe[title="Order · Around"]').boundingBox()
    assert.equal(box?.height, 400)
    assert.deepEqual(await axeFaults(page), [])
    await more.press('Enter')
    await page.locator('iframe[title="Order · Around"]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Notifications, / }).click()
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('button', { name: 'Show more of Order 5' })
      .click()
    await seen(page, 'Order', 'Order 5')
  })

  it('on a phone, in Chinese: widgets are in the menu, and a panel fills the screen', async () => {
    dataOf(await owner.patch('/preferences', { locale: 'zh-CN' }))
    try {
      const page = await opened('/notifications', { viewport: { width: 360, height: 740 }, locale: 'zh-CN' })
      await page.getByRole('button', { name: '另外 4 个插件内容' }).click()
      await seen(page, 'Four', 'header_widget four')
      assert.equal(await overflowOf(page), '')
      assert.deepEqual(await untranslated(page), [])
      await inside(page, 'Four').getByRole('button', { name: 'Ask the desk' }).click()
      await seen(page, 'Desk', 'floating_panel desk tenant /from/four seen')
      const box = await page.getByRole('dialog', { name: '面板 Desk' }).boundingBox()
      assert.deepEqual(box, { x: 0, y: 0, width: 360, height: 740 })
      assert.equal(await overflowOf(page), '')
      assert.deepEqual(await untranslated(page), [])
      assert.deepEqual(await axeFaults(page), [])
      await page.getByRole('button', { name: '关闭 Desk' }).click()
      await until(async () => (await focused(page)) === 'Four · Around')
    } finally {
      dataOf(await owner.delete('/preferences/locale'))
    }
  })

  it('all of it goes when the plugin is disabled, and nothing of frames is loaded where there is none', async () => {
    const page = await opened()
    await inside(page, 'One').getByRole('button', { name: 'Ask the desk' }).click()
    await seen(page, 'Desk', 'floating_panel desk')
    dataOf(await owner.post(`/tenant/plugins/${name}/disable`))
    await until(async () => (await page.locator('iframe').count()) === 0)
    await page.getByRole('complementary', { name: 'Floating panels of plugins' }).waitFor({ state: 'detached' })
    const loaded: string[] = []
    const empty = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain))
    empty.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await empty.goto(acts.at('/notifications'))
    await empty.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await empty.waitForLoadState('networkidle')
    assert.ok(loaded.some((path) => path.includes('/console/assets/')))
    assert.deepEqual(
      loaded.filter((path) => /HeaderWidget|Floating|PluginFrame|use-frame|plugin-ui/.test(path)),
      [],
    )
    dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
    await seen(page, 'One', 'header_widget one')
  })

  it('2.7: each is told that the plugin is disabled before its frame goes', async () => {
    const page = await opened(`/tenant/plugins/${name}/own-own`)
    await page.getByRole('button', { name: 'Desk', exact: true }).click()
    await seen(page, 'Desk', 'floating_panel desk')
    await seen(page, 'Own', 'settings_tab own')
    await seen(page, 'Three', 'header_widget three')
    const ended: string[] = []
    page.on('console', (message) => message.text().startsWith('ended ') && ended.push(message.text()))
    for (const frame of page.frames().filter((each) => each.url().includes('/plugin-ui/')))
      await frame.evaluate(
        `void stoa.on('teardown', ({ reason }) => console.log('ended ' + stoa.context.slot.id + ' ' + reason))`,
      )
    dataOf(await owner.post(`/tenant/plugins/${name}/disable`))
    await until(async () => (await page.locator('iframe').count()) === 0)
    assert.deepEqual(
      ended.toSorted(),
      ['desk', 'one', 'own', 'three', 'two'].map((id) => `ended ${id} disabled`),
    )
    dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
    await seen(page, 'Own', 'settings_tab own')
  })

  it('twelve frames are on a page, and one more waits for a click', async () => {
    const slots = Array.from({ length: 10 }, (_each, at) => {
      return { ...shows, slot: 'dashboard_widget', id: `w${at}`, title: { default: `Widget ${at}` } }
    })
    const more = { title: { default: 'Many' }, capabilities: ['ui'], reasons: { ui: 'Shows pages.' }, slots }
    await give(await packSmall(many, more, '{ handlers: {} }', aroundFiles), many)
    try {
      const page = await opened('/tenant')
      // Three are in the header; whichever was made last waits.
      const show = page.getByRole('button', { name: 'Show', exact: true })
      await show.waitFor()
      await until(async () => (await page.locator('iframe').count()) === 12)
      assert.equal(await show.count(), 1)
      await show.click()
      await until(async () => (await page.locator('iframe').count()) === 13)
    } finally {
      dataOf(await (await acts.stage.staff()).delete(`/admin/plugins/${many}?purge=true`))
    }
  })
})
