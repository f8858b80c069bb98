import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { bringUpToDate } from '../../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../../core-plugins/console/build/folders.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api } from '../../support/api.ts'
import { operator, type FirstRun } from '../../support/first-run.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { patient, startChromium } from './chromium.ts'

/** A platform that was set up, with the console built and a browser. */
export interface ConsoleStage extends AsyncDisposable {
  readonly host: TestKernel
  readonly browser: Browser
  /** The platform's administrator, over HTTP. */
  readonly admin: Api
  readonly demo: FirstRun['demo']
  at(route: string): string
  newContext(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>
  /** Signs somebody in by the page for it. */
  signIn(page: Page, who: 'admin' | 'owner'): Promise<void>
}

/** Starts it with the demo tenant. */
export async function openConsole(): Promise<ConsoleStage> {
  await using started = new AsyncDisposableStack()
  await bringUpToDate(consoleFolders)
  const host = started.use(await startTestKernel({ plugins: corePlugins, env: { STOA_DEMO: '1' } }))
  const browser = await startChromium()
  started.defer(() => browser.close())
  const first = JSON.parse(await readFile(path.join(host.dataDir, 'first-run.json'), 'utf8')) as FirstRun
  const done = await host.api.post('/api/public/setup', { token: first.setup_token, ...operator })
  assert.equal(done.status, 201)
  const login = await host.api.post('/admin/auth/login/json', operator)
  const at = (route: string) => `${host.url}/console${route}`
  const people = {
    admin: { page: '/login', name: operator.email, password: operator.password },
    owner: { page: '/login?tenant=demo', name: first.demo.account, password: first.demo.password },
  }
  const resources = started.move()
  return {
    ...{ host, browser, at, demo: first.demo, admin: host.api.as(login.body['data']?.['access_token']) },
    newContext: async (options) =>
      patient(await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })),
    async signIn(page, who) {
      const { page: route, name, password } = people[who]
      await page.goto(at(route))
      await page.getByLabel('E-mail or account').fill(name)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('button', { name: /^Account of/ }).waitFor()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
