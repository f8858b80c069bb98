import assert from 'node:assert/strict'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { watchPage } from './support/chromium.ts'
import { openConsole, type ConsoleStage } from './support/people.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

describe('the chat', () => {
  let stage: ConsoleStage
  let context: BrowserContext
  let page: Page
  let watched: ReturnType<typeof watchPage>

  before(async () => {
    stage = await openConsole()
    context = await stage.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    page = await context.newPage()
    watched = watchPage(page, stage.host.url)
    await stage.signIn(page, 'owner')
  })
  after(() => stage?.[Symbol.asyncDispose]())
  afterEach(() => assert.deepEqual(watched.faults, []))

  const composer = (tab = page) => tab.getByLabel('Write a message')
  const answers = (tab = page) => tab.getByRole('article', { name: 'Answer' })
  const thread = (tab = page) => tab.getByRole('log', { name: 'Messages' })
  /** Asks in a new conversation. */
  async function begin(text: string): Promise<void> {
    await page.goto(stage.at('/chat'))
    await ask(text)
  }
  async function ask(text: string): Promise<void> {
    await composer().fill(text)
    await composer().press('Enter')
  }
  const complete = (tab = page) => tab.getByRole('button', { name: 'Send' }).waitFor()

  it('41: an answer streams, is stopped by Esc, and what was said stays', async () => {
    await begin(many(3000))
    await answers().getByText('word20', { exact: false }).waitFor()
    await composer().press('Escape')
    await page.getByText('Stopped').waitFor()
    await complete()
    assert.doesNotMatch(await answers().innerText(), /word2999/)
    await page.reload()
    await page.getByText('Stopped').waitFor()
    assert.match(await answers().innerText(), /word20/)
  })

  it('41: an answer goes on after a reload and a lost network, in two tabs, without a lost or doubled word', async () => {
    const text = many(400)
    await begin(text)
    await answers().getByText('word20', { exact: false }).waitFor()
    await page.reload()
    await answers().getByText('word20', { exact: false }).waitFor()
    const second = await context.newPage()
    await second.goto(page.url())
    await answers(second).getByText('word20', { exact: false }).waitFor()
    await context.setOffline(true)
    await context.setOffline(false)
    await Promise.all([page, second].map((tab) => answers(tab).getByText('word399', { exact: false }).waitFor()))
    for (const tab of [page, second]) {
      await complete(tab)
      const said = (await answers(tab).innerText()).split('You said: ')[1]?.trim() ?? ''
      assert.equal(said.startsWith(text), true)
      assert.equal(said.slice(text.length).includes('word'), false)
    }
    await second.close()
  })

  it('41: an answer is waited for however long the network is away', async () => {
    const text = many(400)
    await begin(text)
    await answers().getByText('word20', { exact: false }).waitFor()
    let cuts = 0
    await page.route('**/runs/*/events', (route) => {
      cuts += 1
      return cuts <= 8 ? route.abort('internetdisconnected') : route.continue()
    })
    await page.reload()
    // The browser says that there is a network again, and is wrong a few times.
    await until(async () => {
      await page.evaluate(`dispatchEvent(new Event('online'))`)
      return cuts > 8
    })
    await answers().getByText('word399', { exact: false }).waitFor()
    await complete()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.unroute('**/runs/*/events')
  })

  it('41: a question that was not taken comes back with its files; changed, it keeps them', async () => {
    await page.goto(stage.at('/chat'))
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.') }
    await page.locator('input[type="file"]').setInputFiles(file)
    const chosen = page.getByRole('list', { name: 'Files' })
    await chosen.getByText('9 B').waitFor()
    await page.route('**/chat/stream', (route) => route.abort())
    await ask('What is to be done?')
    await page.getByRole('alert').waitFor()
    assert.equal(await composer().inputValue(), 'What is to be done?')
    await chosen.getByText('notes.txt').waitFor()
    await page.unroute('**/chat/stream')
    await composer().press('Enter')
    const question = page.getByRole('article', { name: 'You' })
    await question.getByRole('list', { name: 'Files' }).getByText('notes.txt').waitFor()
    await complete()
    assert.equal(await composer().inputValue(), '')
    await page.reload()
    await question.getByText('notes.txt').waitFor()
    await question.getByRole('button', { name: 'Change the question' }).click()
    await page.getByRole('textbox', { name: 'Change the question' }).fill('What else?')
    await question.getByRole('button', { name: 'Send' }).click()
    await answers().getByText('What else?', { exact: false }).waitFor()
    await complete()
    await page.reload()
    await question.getByText('What else?').waitFor()
    await question.getByText('notes.txt').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('41: what is typed before an answer begins stays where it is once the conversation has its name', async () => {
    await page.goto(stage.at('/chat'))
    const asked = Promise.withResolvers<Route>()
    await page.route('**/chat/stream', (route) => asked.resolve(route))
    await ask('The first')
    const route = await asked.promise
    await composer().fill('The second')
    await route.continue()
    await page.waitForURL(/\/chat\/\w/)
    await answers().getByText('You said: The first').waitFor()
    await complete()
    assert.equal(await composer().inputValue(), 'The second')
    await page.unroute('**/chat/stream')
    await composer().fill('')
  })

  it('41: questions are changed and answers made anew as branches that one goes between', async () => {
    // Another answer may be asked for before the conversation was read again.
    const isRead = /\/ai\/agent-chat\/conversations\/[^/]+$/
    const asked = Promise.withResolvers<undefined>()
    await page.route(isRead, (route) => asked.promise.then(() => route.continue()))
    await begin('First question')
    await answers().getByText('You said: First question').waitFor()
    await complete()
    await page.getByRole('button', { name: 'Another answer' }).click()
    await page.getByText('2 / 2').waitFor()
    asked.resolve(undefined)
    await page.unroute(isRead)
    await complete()
    await page.getByRole('button', { name: 'Change the question' }).click()
    await page.getByRole('textbox', { name: 'Change the question' }).fill('Second question')
    await page.getByRole('textbox', { name: 'Change the question' }).press('Tab')
    await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Send' }).click()
    await answers().getByText('You said: Second question').waitFor()
    await complete()
    await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Version before' }).click()
    await answers().getByText('You said: First question').waitFor()
    assert.equal(await answers().getByText('Second question').count(), 0)
    assert.deepEqual(await axeFaults(page), [])
  })

  it('41: an answer is judged, what it took is told, and a link shows what was said to whoever has it', async () => {
    await begin('Judge me')
    await answers().getByText('You said: Judge me').waitFor()
    await complete()
    await page.getByRole('button', { name: 'Good answer' }).click()
    const judged = page.getByRole('button', { name: 'Good answer', pressed: true })
    await judged.waitFor()
    await page.reload()
    await judged.waitFor()
    await page.getByRole('button', { name: 'What it took' }).click()
    await page.getByText(/tokens read/).waitFor()

    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = await dialog.locator('code').innerText()
    assert.deepEqual(await axeFaults(page), [])
    const stranger = await stage.newContext()
    const reader = await stranger.newPage()
    const read = watchPage(reader, stage.host.url)
    await reader.goto(link)
    await reader.getByText('You said:').waitFor()
    assert.deepEqual(await axeFaults(reader), [])
    assert.deepEqual(read.faults, [])
    await stranger.close()
    await dialog.getByRole('button', { name: 'Take the link back' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('41: files go with a message', async () => {
    await page.goto(stage.at('/chat'))
    const content = Buffer.from('The word in the file is heliotrope.')
    await page
      .getByLabel('Attach files')
      .first()
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: content })
    await page.getByRole('list', { name: 'Files' }).getByText('35 B').waitFor()
    await ask('What is in it?')
    await answers().getByText('heliotrope').waitFor()
    await complete()
  })

  it('42: while somebody reads further up, an answer that grows moves nothing', async () => {
    await begin(`${'A line\n\n'.repeat(60)}${many(400)}`)
    await answers().getByText('word20', { exact: false }).waitFor()
    await thread().hover()
    await page.mouse.wheel(0, -500)
    await page.getByRole('button', { name: 'New', exact: true }).waitFor()
    const place = () => thread().evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop)
    // A turn of the wheel is drawn in several frames.
    await page.evaluate(`(async () => {
      const view = document.querySelector('[role="log"]')
      for (let still = 0, last; still < 10; last = view.scrollTop) {
        await new Promise(requestAnimationFrame)
        still = view.scrollTop === last ? still + 1 : 0
      }
    })()`)
    const before = await place()
    assert.ok(before > 0, 'the thread scrolls, not the page')
    assert.equal(await page.evaluate('document.scrollingElement.scrollHeight <= innerHeight'), true)
    await complete()
    assert.equal(await place(), before)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await answers().getByText('word399', { exact: false }).waitFor()
  })

  it('43: the Enter that ends a composition sends nothing', async () => {
    await page.goto(stage.at('/chat'))
    await composer().focus()
    const session = await context.newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 })
    await composer().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true })
    await session.send('Input.insertText', { text: '你好' })
    assert.equal(await page.getByRole('article').count(), 0)
    assert.equal(await composer().inputValue(), '你好')
    await composer().fill('')
  })
})
