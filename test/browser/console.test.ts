import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { bringUpToDate } from '../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../core-plugins/console/build/folders.ts'
import { corePlugins } from '../../core-plugins/index.ts'
import { startTestKernel, type TestKernel } from '../support/kernel.ts'
import type { FirstRun } from '../support/first-run.ts'
import { axeFaults } from './support/axe.ts'
import { startChromium, watchPage } from './support/chromium.ts'

const admin = { email: 'admin@stoa.test', password: 'a long enough passphrase' }
const size = { width: 1280, height: 800 }

describe('the console in a browser', function () {
  this.timeout(60_000)
  let host: TestKernel
  let browser: Browser
  let staff: BrowserContext
  let page: Page
  let firstRun: FirstRun
  let watched: ReturnType<typeof watchPage>
  const at = (route: string) => `${host.url}/console${route}`

  before(async function () {
    this.timeout(180_000)
    await bringUpToDate(consoleFolders)
    host = await startTestKernel({ plugins: corePlugins, env: { STOA_DEMO: '1' } })
    firstRun = JSON.parse(await readFile(path.join(host.dataDir, 'first-run.json'), 'utf8')) as FirstRun
    browser = await startChromium()
    staff = await browser.newContext({ viewport: size, locale: 'en-US' })
    page = await staff.newPage()
    watched = watchPage(page, host.url)
  })
  after(async () => {
    await browser?.close()
    await host?.[Symbol.asyncDispose]()
  })
  afterEach(() => assert.deepEqual(watched.faults, []))

  it('6: the link of the first run makes the administrator in three fields, and works once', async () => {
    const link = at(`/setup#token=${firstRun.setup_token}`)
    await page.goto(link)
    await page.getByLabel('E-mail').fill(admin.email)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByLabel('Name of this site').fill('Acme')
    assert.equal(new URL(page.url()).hash, '')
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    const other = await browser.newPage()
    await other.goto(link)
    await other.getByLabel('E-mail').fill('second@stoa.test')
    await other.getByLabel('Password').fill(admin.password)
    await other.getByRole('button', { name: 'Begin' }).click()
    await other.getByText('This link was used already').waitFor()
    await other.close()
  })

  it('7: getting started leads to a plugin that runs for the demo tenant, and each row ticks by itself', async () => {
    const second = await staff.newPage()
    await second.goto(at('/admin'))
    await second.getByRole('button', { name: 'Open it' }).waitFor()
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('checkbox', { name: /Demo/ }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('It is ready.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Enabled').first().waitFor()
    await second.getByRole('button', { name: 'Look' }).waitFor()
    await second.close()
  })

  it('9, 20: every entry of the menu leads to a page, without a violation of the policy, and axe finds nothing', async () => {
    await page.goto(at('/admin'))
    const menu = page.getByRole('navigation', { name: 'Main navigation' })
    await menu.getByRole('link').first().waitFor()
    const links = await menu.getByRole('link').all()
    const routes = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
    assert.ok(routes.length >= 6, routes.join(' '))
    const found: string[] = []
    for (const route of [...routes, '/console/profile', '/console/profile/security', '/console/profile/preferences']) {
      await page.goto(host.url + route)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      found.push(...(await axeFaults(page)).map((fault) => `${route} ${fault}`))
    }
    assert.deepEqual(found, [])
  })

  it('12: a reload and a new tab keep the session, whose token is in no storage, address or page', async () => {
    await page.reload()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    const tab = await staff.newPage()
    await tab.goto(at('/admin/tenants'))
    await tab.getByRole('link', { name: 'Demo' }).waitFor()
    await tab.close()
    const everything = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
    )
    assert.doesNotMatch(everything, /eyJ[\w-]{10}|rt_[\w-]{20}/)
  })

  it('14: a session that an administrator ends while a form is open goes on after a sign-in over the page', async () => {
    await page.goto(at('/admin/configs/platform_basic'))
    await page.getByRole('textbox', { name: 'Description' }).fill('typed before the end')
    await staff.clearCookies()
    await endSessions()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password').fill(admin.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Saved').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Description' }).inputValue(), 'typed before the end')
  })

  it('15, 17: a tenant’s session stands beside the platform’s, and signing out in one tab shows in the other', async () => {
    const tenant = await staff.newPage()
    await tenant.goto(at('/login?tenant=demo'))
    await tenant.getByLabel('E-mail or account').fill(firstRun.demo.account)
    await tenant.getByLabel('Password').fill(firstRun.demo.password)
    await tenant.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tenant.getByRole('heading', { name: 'Demo' }).waitFor()
    const other = await staff.newPage()
    await other.goto(at('/chat'))
    await other.getByLabel('Write a message').fill('Hello')
    await other.keyboard.press('Enter')
    await other.getByText(/You said: Hello/).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    await tenant.getByRole('button', { name: /^Account of/ }).click()
    await tenant.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await Promise.all([tenant.close(), other.close()])
  })

  /** As another administrator would. */
  async function endSessions(): Promise<void> {
    const answer = await host.api.post('/admin/auth/login/json', admin)
    const data = answer.body['data']
    const by = host.api.as(data?.['access_token'])
    const sessions = await by.get('/admin/auth/sessions')
    for (const session of sessions.body['data']?.['items'] as unknown as { id: string; current: boolean }[]) {
      if (!session.current) await by.delete(`/admin/auth/sessions/${session.id}`)
    }
  }
})
