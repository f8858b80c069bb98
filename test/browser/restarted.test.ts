import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeAgent } from '../core-plugins/agents/world.ts'
import { credentials } from '../core-plugins/killed/process.ts'
import { MortalPlatform } from '../core-plugins/killed/world.ts'
import { createTenant, dataOf } from '../support/platform.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { watchPage } from './support/chromium.ts'
import { useActs, type Credentials } from './support/stage.ts'

const administrator = { account: credentials.email, password: credentials.password }
const interrupted = 'The platform broke the answer off'
const group = '/admin/configs/groups/platform_plugin'

interface NumberItem {
  readonly key: string
  readonly name: string
  readonly value: number
  readonly rules: { readonly min?: number; readonly max?: number }
}

describe('a server that is started again', () => {
  const acts = useActs()
  /** Where the host listens; another port after each start. */
  const target = { port: 0 }
  let platform: MortalPlatform
  let address: TcpProxy
  let origin: string
  let isKilled = false

  before(async () => {
    platform = await MortalPlatform.start(1, { env: { STOA_DEMO: '1' } })
    address = await startTcpProxy(target)
    origin = `http://127.0.0.1:${address.port}`
    lead()
  })
  afterEach(() => (isKilled ? restart() : undefined))
  after(async () => {
    await address[Symbol.asyncDispose]()
    await platform[Symbol.asyncDispose]()
  })

  it('14: twenty changed fields outlive it, and are saved without being typed or signed in again', async () => {
    const items = await read()
    const wanted = new Map(items.map(({ name, value, rules }) => [name, value === rules.max ? value - 1 : value + 1]))
    assert.ok(wanted.size >= 20)
    const { page, faults } = await signedIn('/console/admin/configs/platform_plugin')
    for (const [name, value] of wanted) await field(page, name).fill(String(value))
    await page.getByText(`${wanted.size} changes`).waitFor()

    await kill()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The server cannot be reached').waitFor()
    assert.deepEqual(await typed(page, wanted), wanted)
    await restart()
    await page.getByText(`${wanted.size} changes`).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('0 changes').waitFor()
    assert.deepEqual(await typed(page, wanted), wanted)
    assert.deepEqual(new Map((await read()).map(({ name, value }) => [name, value])), wanted)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(faults, [])
  })

  it('14: a draft of them is there again in a tab that was loaded anew meanwhile', async () => {
    const items = await read()
    const wanted = new Map(items.map(({ name, value, rules }) => [name, value === rules.max ? value - 1 : value + 1]))
    const { page, faults } = await signedIn('/console/admin/configs/platform_plugin')
    for (const [name, value] of wanted) await field(page, name).fill(String(value))
    await until(() =>
      page.evaluate<boolean>('Object.keys(sessionStorage).some((key) => key.startsWith("stoa.draft."))'),
    )
    page.on('dialog', (dialog) => void dialog.accept())
    await kill()
    await page
      .reload()
      .catch((error: unknown) => assert.match(String(error), /ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET_NOT_CONNECTED/))
    await restart()
    await page.goto(`${origin}/console/admin/configs/platform_plugin`)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(`${wanted.size} changes`).waitFor()
    assert.deepEqual(await typed(page, wanted), wanted)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.deepEqual(new Map((await read()).map(({ name, value }) => [name, value])), wanted)
    assert.deepEqual(faults, [])
  })

  it('41: an answer in whose middle it was killed has no word twice and none left out, and says that it broke off', async () => {
    const { owner } = await createTenant(await platform.admin(), 'chats')
    await makeAgent(owner, { generate_titles: false })
    const who = { tenant_code: 'chats', account: 'owner@chats.test', password: 'a long enough passphrase' }
    const { page, faults } = await signedIn('/console/chat', who)
    const words = Array.from({ length: 3000 }, (_, at) => `word${at}`)
    const composer = page.getByLabel('Write a message')
    await composer.fill(words.join(' '))
    await composer.press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByText('word200 ', { exact: false }).waitFor()

    await kill()
    const shown = wordsIn(await answer.innerText())
    await composer.fill('What was written meanwhile')
    await restart()
    await page.getByText(interrupted).waitFor()
    const kept = wordsIn(await answer.innerText())
    assert.deepEqual(kept, words.slice(0, kept.length))
    assert.ok(kept.length >= shown.length && kept.length < words.length, `${shown.length} of ${kept.length}`)
    assert.equal(await composer.inputValue(), 'What was written meanwhile')
    await page.reload()
    await answer.getByText('Broke off before its end').waitFor()
    // What came in the moment before was shown and not written down yet, or written down and on its way to the page.
    const written = wordsIn(await answer.innerText())
    assert.deepEqual(written, words.slice(0, written.length))
    assert.ok(written.length > 100 && written.length < words.length, `${written.length} of ${kept.length}`)
    await composer.fill('And on')
    await composer.press('Enter')
    await answer.last().getByText('You said: And on').waitFor()
    assert.deepEqual(faults, [])
  })

  function wordsIn(text: string): readonly string[] {
    return text.match(/word\d+/g) ?? []
  }
  async function kill(): Promise<void> {
    isKilled = true
    await platform.victim.kill()
  }
  async function restart(): Promise<void> {
    await platform.restart()
    isKilled = false
    lead()
  }
  function lead(): void {
    target.port = Number(new URL(platform.victim.url).port)
  }
  async function read(): Promise<readonly NumberItem[]> {
    return dataOf(await (await platform.admin()).get(group))['items'] as unknown as readonly NumberItem[]
  }
  function field(page: Page, name: string) {
    return page.getByRole('spinbutton', { name, exact: true })
  }
  async function typed(page: Page, wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const values = [...wanted.keys()].map(async (name) => [name, Number(await field(page, name).inputValue())] as const)
    return new Map(await Promise.all(values))
  }
  async function signedIn(route: string, who: Credentials = administrator) {
    const context = await acts.person()
    const scope = who.tenant_code === undefined ? 'platform' : 'tenant'
    const answer = await context.request.post(`${origin}${scope === 'platform' ? '/admin' : ''}/auth/login/json`, {
      data: { ...who, token_delivery: 'cookie', device_name: 'a test' },
      headers: { 'x-requested-with': 'console' },
    })
    assert.equal(answer.status(), 200, await answer.text())
    // A page that says that nobody answers has no storage.
    await context.addInitScript(`self.origin === 'null' || localStorage.setItem('stoa.hint', '{"scope":"${scope}"}')`)
    const page = await context.newPage()
    const { faults } = watchPage(page, origin)
    await page.goto(`${origin}${route}`)
    return { page, faults }
  }
})
