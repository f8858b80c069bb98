import assert from 'node:assert/strict'
import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import { notifier } from '../../core-plugins/notifications/contract.ts'
import type { Api } from '../support/api.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { watchPage } from './support/chromium.ts'
import { openConsole, type ConsoleStage } from './support/people.ts'

describe('what happens while pages are open', () => {
  let stage: ConsoleStage
  let context: BrowserContext
  let page: Page
  let watched: ReturnType<typeof watchPage>
  let to: { readonly tenantId: number; readonly userId: number }
  let owner: Api
  /** How many were opened, and how many of them hear what happens: of a page that is left, nothing tells when its sockets close. */
  let sockets = 0
  let hearing = 0

  before(async () => {
    stage = await openConsole()
    context = await stage.newContext()
    page = await context.newPage()
    watched = watchPage(page, stage.host.url)
    context.on('page', count)
    count(page)
    await stage.signIn(page, 'owner')
    const { tenant_code: code, account, password } = stage.demo
    const login = await stage.host.api.post('/auth/login/json', { tenant_code: code, account, password })
    const { user, tenant } = login.body['data'] as unknown as Record<'user' | 'tenant', { readonly id: number }>
    owner = stage.host.api.as(login.body['data']?.['access_token'])
    to = { tenantId: tenant.id, userId: user.id }
  })
  beforeEach(async () => {
    assert.equal((await owner.post('/notifications/read-all')).status, 200)
    await bell(page, 0).waitFor()
  })
  after(() => stage?.[Symbol.asyncDispose]())
  afterEach(() => assert.deepEqual(watched.faults, []))

  function count(tab: Page): void {
    tab.on('websocket', (socket) => {
      sockets += 1
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"type":"ready"')) hearing += 1
      })
    })
  }
  async function notify(title: string, level: 'info' | 'warning' = 'info', link: string | null = null): Promise<void> {
    const about = { title, body: 'A body', level, source: 'system', ...(link !== null && { link }) }
    await stage.host.kernel.services.get(notifier).send({ ...to, ...about })
  }
  const bell = (tab: Page, count: number) =>
    tab.getByRole('button', { name: count === 0 ? 'Notifications, none unread' : `Notifications, ${count} unread` })

  it('46: notifications and the unread number arrive in every tab, with one pair of sockets for all of them', async () => {
    const second = await context.newPage()
    await second.goto(stage.at('/tenant'))
    await bell(second, 0).waitFor()
    // What came before is there as well, but is no news.
    await until(() => hearing >= 2)
    await notify('The first one', 'warning', '/notifications')
    await Promise.all([bell(page, 1).waitFor(), bell(second, 1).waitFor()])
    await page.getByText('The first one').first().waitFor()
    await until(async () => (await second.title()).startsWith('(1) '))
    assert.equal(sockets, 2)

    await bell(page, 1).click()
    const panel = page.getByRole('region', { name: 'Notifications' })
    await panel.getByRole('link', { name: 'The first one' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await panel.getByRole('link', { name: 'The first one' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await Promise.all([bell(page, 0).waitFor(), bell(second, 0).waitFor()])
    assert.deepEqual(await axeFaults(page), [])
    await second.close()
  })

  it('46: a profile that is read again keeps the sockets', async () => {
    const left = sockets
    await page.goto(stage.at('/profile'))
    await until(() => sockets === left + 2)
    await notify('It is live')
    await bell(page, 1).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    await notify('It still is')
    await bell(page, 2).waitFor()
    assert.equal(sockets, left + 2)
  })

  it('46: the tab with the sockets closes, and another takes them over', async () => {
    const second = await context.newPage()
    await second.goto(stage.at('/notifications'))
    await notify('Before the change')
    await second.getByText('Before the change').first().waitFor()
    await page.close()
    page = await context.newPage()
    watched = watchPage(page, stage.host.url)
    await page.goto(stage.at('/notifications'))
    await page.getByText('Before the change').first().waitFor()
    await notify('After the change')
    await Promise.all([page, second].map((tab) => tab.getByText('After the change').first().waitFor()))
    await second.close()
  })

  it('46: a lost connection shows quietly; what was missed comes when it is back, and lists are read where it was too much', async () => {
    const other = await stage.newContext()
    const tab = await other.newPage()
    const open = new Set<WebSocketRoute>()
    await tab.routeWebSocket(/\/ws\//, (socket) => {
      socket.connectToServer()
      open.add(socket)
    })
    const cut = async () => {
      await other.setOffline(true)
      for (const socket of open) await socket.close({ code: 1001 })
      open.clear()
      await tab.getByText('Not live').waitFor()
    }
    await stage.signIn(tab, 'owner')
    await bell(tab, 0).waitFor()
    await tab.goto(stage.at('/notifications'))
    await notify('While it was here')
    await bell(tab, 1).waitFor()
    await cut()
    await notify('While it was away')
    await other.setOffline(false)
    await tab.getByText('While it was away').first().waitFor()
    await bell(tab, 2).waitFor()
    await tab.getByText('Not live').waitFor({ state: 'hidden' })

    await cut()
    await Promise.all(Array.from({ length: 300 }, (_, at) => notify(`Number ${at}`)))
    await other.setOffline(false)
    await bell(tab, 302).waitFor()
    await other.close()
  })

  it('46: where sockets are broken, or never say anything, the same comes as a stream', async () => {
    const other = await stage.newContext()
    const tab = await other.newPage()
    await tab.routeWebSocket(/\/ws\/tenant/, (socket) => socket.close({ code: 1011 }))
    await tab.routeWebSocket(/\/ws\/user/, () => undefined)
    const streams = ['user', 'tenant'].map((name) =>
      tab.waitForResponse((response) => response.url().includes(`/events/${name}`) && response.ok()),
    )
    await stage.signIn(tab, 'owner')
    await Promise.all(streams)
    await notify('By the stream')
    await bell(tab, 1).waitFor()
    await other.close()
  })
})
