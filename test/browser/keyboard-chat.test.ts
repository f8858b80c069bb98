import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { isFocused, pressByKey, tabTo } from './support/by-keyboard.ts'
import { answeredTo, composerOf, converse, readerOfWriter, type Reader } from './support/chats.ts'
import { useActs } from './support/stage.ts'

const long = Array.from({ length: 3000 }, (_, at) => `word${String(at)}`).join(' ')
const shop = { plugin: 'acme.shop-orders', name: 'order_status' }

describe('a chat without a mouse', () => {
  const acts = useActs()
  let reader: Reader
  let agent: string | undefined
  beforeEach(async () => void (reader = await readerOfWriter(acts.stage)))

  after(async () => {
    if (agent !== undefined) await (await acts.stage.owner()).delete(`/admin/ai/agents/${agent}`)
  })

  const answer = (page: Page) => page.getByRole('article', { name: 'Answer' })
  const question = (page: Page) => page.getByRole('article', { name: 'You' })
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

  it('50: a question is asked, stopped, changed and answered anew (41), with a file, and branches are gone between', async () => {
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    // Whoever comes to the chat writes at once.
    await until(() => isFocused(composerOf(page)))
    await page.keyboard.insertText(long)
    await page.keyboard.press('Enter')
    await answer(page).getByText('word20', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Stopped').waitFor()

    // Before the page is there: a press that comes at once would not be heard.
    const chooser = page.waitForEvent('filechooser')
    await page.goto(acts.at('/chat'))
    await until(() => isFocused(composerOf(page)))
    await tabBackTo(page, button(page, 'Attach files').and(page.locator('button')))
    await page.keyboard.press('Enter')
    const buffer = Buffer.from('The word in the file is heliotrope.')
    await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('list', { name: 'Files' }).getByText('35 B').waitFor()
    await tabTo(page, composerOf(page))
    await page.keyboard.type('First question')
    await page.keyboard.press('Enter')
    await answer(page).getByText('heliotrope').waitFor()
    await button(page, 'Send').waitFor()

    await pressByKey(page, button(page, 'Another answer'))
    await page.getByText('2 / 2').waitFor()
    await button(page, 'Send').waitFor()
    await pressByKey(page, button(page, 'Change the question'))
    await until(() => isFocused(page.getByRole('textbox', { name: 'Change the question' })))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Second question')
    await pressByKey(page, button(question(page), 'Send'))
    await answeredTo(page, 'Second question')
    await pressByKey(page, button(question(page), 'Version before'))
    await answer(page).getByText('You said: First question').waitFor()
    await pressByKey(page, button(question(page), 'Version after'))
    await answer(page).getByText('You said: Second question').waitFor()
    await pressByKey(page, button(page, 'Good answer'))
    await page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
  })

  it('50: what the model still reads is summarised (41)', async () => {
    // Few words, which come one after the other, and much to read.
    const message = `${'morethanamodelwantstoread'.repeat(5)} `.repeat(100)
    const id = await converse(reader.api, message)
    for (let turn = 0; turn < 8; turn += 1)
      dataOf(await reader.api.post('/ai/agent-chat/writer/chat', { message, conversation_id: id }))
    // So long that the platform shortens it by itself.
    await until(async () => {
      const { context } = dataOf(await reader.api.get(`/ai/agent-chat/conversations/${id}`))
      return JSON.stringify(context ?? {}).includes('covered')
    })
    const page = await acts.tab(await acts.signedIn(reader.who), `/chat/${id}`)
    const opener = page.getByRole('button', { name: /older messages? (is|are) summarised$/ })
    await pressByKey(page, opener)
    const dialog = page.getByRole('dialog', { name: 'What the model still reads' })
    await dialog.getByText(/^Summary \d/).waitFor()
    // What comes of it is the same summary where that is of the same messages.
    const asked = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes(id))
    await pressByKey(page, dialog.getByRole('button', { name: 'Summarise again' }))
    assert.equal((await asked).ok(), true)
    await dialog.getByRole('button', { name: 'Summarise again', disabled: false }).waitFor()
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await until(() => isFocused(opener))
  })

  it('50: a call of a tool is allowed once and refused once (41)', async () => {
    const owner = await acts.stage.owner()
    // The sample plugin of the demo tenant is installed in the background.
    const offered = async () => dataOf(await owner.get(`/admin/ai/agent-tools?plugin=${shop.plugin}`))['total']
    await until(async () => Number(await offered()) > 0)
    const draft = { code: 'asks_first', name: 'Asks first', model: 'demo', tools: [{ ...shop, always_confirm: true }] }
    const id = textOf(dataOf(await owner.post('/admin/ai/agents', draft), 201)['id'])
    agent = id
    dataOf(await owner.post(`/admin/ai/agents/${id}/publish`, {}))
    dataOf(await reader.api.patch('/preferences', { default_agent_id: id }))
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    const asked = page.getByRole('group', { name: 'May it do this?' })
    for (const [verb, said] of [
      ['Allow once', 'The tool answered: Order 1009'],
      ['Refuse', /refused|not allowed|declined/i],
    ] as const) {
      await tabTo(page, composerOf(page))
      await page.keyboard.type('order_status 1009')
      await page.keyboard.press('Enter')
      await pressByKey(page, button(asked, verb))
      await asked.waitFor({ state: 'detached' })
      await answer(page).last().getByText(said).first().waitFor()
      await button(page, 'Send').waitFor()
      // It is told once, with what came of it, and not as one that waits beside it.
      await page.reload()
      await answer(page).last().getByText(said).first().waitFor()
      assert.equal(await page.getByText('Order status', { exact: true }).count(), verb === 'Refuse' ? 2 : 1)
      assert.equal(await asked.count(), 0)
    }
  })

  async function tabBackTo(page: Page, target: Locator): Promise<void> {
    for (let stop = 0; stop < 5 && !(await isFocused(target)); stop += 1) await page.keyboard.press('Shift+Tab')
    assert.ok(await isFocused(target), 'Shift+Tab does not lead there')
  }
})
