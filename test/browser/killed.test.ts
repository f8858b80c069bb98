import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { credentials } from '../core-plugins/killed/process.ts'
import { MortalPlatform } from '../core-plugins/killed/world.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { watchPage } from './support/chromium.ts'
import { useActs } from './support/stage.ts'

const name = 'acme.mortal'
const place = `/admin/plugins/${name}`

describe('work on a plugin whose host is killed', () => {
  const acts = useActs()
  /** Where the host listens; another port after each start. */
  const target = { port: 0 }
  let platform: MortalPlatform
  let address: TcpProxy
  let origin: string

  before(async () => {
    platform = await MortalPlatform.start(1)
    address = await startTcpProxy(target)
    origin = `http://127.0.0.1:${address.port}`
    lead()
    await installAndEnable(await platform.admin(), await packSmall(name))
  })
  after(async () => {
    await address[Symbol.asyncDispose]()
    await platform[Symbol.asyncDispose]()
  })

  it('27: killed before the step that commits, it is over and nothing of it was kept, in every tab', async () => {
    const { asking, watching } = await killAt('load_test', 'Try it', '1.1.0')
    await asking.tab.getByText('The host died at the step load_test, and nothing of it was kept').first().waitFor()
    await Promise.all([endsAs(asking, '1.0.0'), endsAs(watching, '1.0.0')])
    await isRecorded(watching.tab, 'Aborted')
    assert.deepEqual([asking.faults, watching.faults], [[], []])
  })

  it('27: killed after it, the host that comes back does the rest, and every tab shows it as done', async () => {
    const { asking, watching } = await killAt('converge', 'All hosts follow', '1.2.0')
    await Promise.all([endsAs(asking, '1.2.0'), endsAs(watching, '1.2.0')])
    await isRecorded(watching.tab, 'Done')
    assert.equal(await asking.tab.getByRole('alert').count(), 0)
    assert.deepEqual([asking.faults, watching.faults], [[], []])
  })

  /** The tab that asks for an upgrade, and one that found it under way; the host died at the step and is there again. */
  async function killAt(step: string, words: string, version: string) {
    const context = await signedIn()
    const asking = await tab(context)
    await platform.victim.set({ plugin: name, kind: 'upgrade', step, when: 'begin', halt: 'hold' })
    const buffer = await packSmall(name, { version })
    const file = { name: 'a.plugin.zip', mimeType: 'application/zip', buffer }
    await asking.tab.locator('input[type=file]').first().setInputFiles(file)
    await platform.victim.held(name)
    const watching = await tab(context)
    for (const { tab } of [asking, watching]) await stepsIn(tab).getByText(`${words} – running`).waitFor()
    await platform.victim.kill()
    await platform.restart()
    lead()
    return { asking, watching }
  }
  /** Its steps are gone, and what stands there is what runs. */
  async function endsAs({ tab }: { readonly tab: Page }, version: string): Promise<void> {
    await stepsIn(tab).waitFor({ state: 'detached' })
    await tab.getByText(`${name} ${version}`, { exact: true }).waitFor()
    assert.equal(dataOf(await (await platform.admin()).get(place))['version'], version)
  }
  /** Nothing of it runs on in its record. */
  async function isRecorded(tab: Page, state: string): Promise<void> {
    await tab.getByRole('button', { name: /operations? on plugins/i }).click()
    const tray = tab.getByRole('region', { name: 'Operations on plugins' })
    await tray
      .getByRole('button', { name: `Upgrade · ${name}` })
      .first()
      .click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText(state, { exact: true }).waitFor()
    assert.equal(await dialog.getByText('– running').count(), 0)
  }
  const stepsIn = (tab: Page) => tab.getByRole('region', { name: 'Upgrade', exact: true })

  function lead(): void {
    target.port = Number(new URL(platform.victim.url).port)
  }
  async function signedIn(): Promise<BrowserContext> {
    const context = await acts.person()
    const { email: account, password } = credentials
    const answer = await context.request.post(`${origin}/admin/auth/login/json`, {
      data: { account, password, token_delivery: 'cookie', device_name: 'a test' },
      headers: { 'x-requested-with': 'console' },
    })
    assert.equal(answer.status(), 200, await answer.text())
    await context.addInitScript(`localStorage.setItem('stoa.hint', '{"scope":"platform"}')`)
    return context
  }
  async function tab(context: BrowserContext) {
    const page = await context.newPage()
    const { faults } = watchPage(page, origin)
    await page.goto(`${origin}/console${place}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { tab: page, faults }
  }
})
