import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { answeredTo, composerOf, converse, readerOfWriter, type Reader } from './support/chats.ts'
import { demoOwner, useActs } from './support/stage.ts'

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const long = Array.from({ length: 3000 }, (_, at) => `word${String(at)}`).join(' ')

describe('what was said', () => {
  const acts = useActs()
  let reader: Reader
  beforeEach(async () => void (reader = await readerOfWriter(acts.stage)))

  const answer = (page: Page) => page.getByRole('article', { name: 'Answer' })
  /** What the clipboard has, as the composer takes it. */
  const copied = async (page: Page) => {
    await composerOf(page).press('Control+a')
    await composerOf(page).press('Control+v')
    return composerOf(page).inputValue()
  }

  it('4.9: a number in an answer has a card with its source, by keyboard too, and leads whoever may to the document', async () => {
    const question = 'Where is my order?'
    const id = await converse(await acts.stage.owner(), question, 'support')
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/chat/${id}`)
    const number = answer(page).getByRole('button', { name: /^Source 1: / })
    await number.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const title = (await number.getAttribute('aria-label'))?.replace('Source 1: ', '') ?? ''
    await number.focus()
    await page.keyboard.press('Enter')
    const card = page.getByRole('dialog', { name: `Source 1: ${title}` })
    await card.getByText(/^Fits by \d+\s?%$/).waitFor()
    const { items } = (dataOf(await (await acts.stage.owner()).get(`/ai/agent-chat/conversations/${id}`))['messages'] ??
      {}) as unknown as { items: readonly { readonly citations: readonly { readonly quote: string }[] }[] }
    const quote = items.at(-1)?.citations[0]?.quote ?? ''
    assert.ok(quote.length > 10)
    assert.equal((await card.locator('blockquote').textContent())?.trim(), quote.trim())
    await card.and(page.locator(':focus')).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await number.and(page.locator(':focus')).waitFor()

    await number.click()
    await card.getByRole('link', { name: 'Open the document' }).click()
    await page.waitForURL(/\/tenant\/knowledge-bases\/\w+\?q=/)
    await page.getByRole('row').filter({ hasText: title }).waitFor()

    // Who may not look into knowledge bases has the source, and no link that leads nowhere.
    const own = await converse(reader.api, question, 'support')
    const plain = await acts.tab(await acts.signedIn(reader.who), `/chat/${own}`)
    await answer(plain)
      .getByRole('button', { name: /^Source 1: / })
      .click()
    await plain.getByRole('dialog', { name: /^Source 1: / }).waitFor()
    assert.equal(await plain.getByRole('link', { name: 'Open the document' }).count(), 0)
    // A number that no source has stays as it was written.
    const other = await converse(reader.api, 'Only [1] and [a link](https://example.com/)', 'writer')
    await plain.goto(acts.at(`/chat/${other}`))
    await answer(plain).getByText('Only [1] and').waitFor()
    assert.equal(
      await answer(plain)
        .getByRole('button', { name: /^Source/ })
        .count(),
      0,
    )
  })

  it('4.9: the branch that is shown is copied and exported, also what the page has not loaded', async () => {
    const id = await converse(reader.api, 'Question 0')
    for (let at = 1; at < 30; at += 1)
      dataOf(
        await reader.api.post('/ai/agent-chat/writer/chat', { message: `Question ${String(at)}`, conversation_id: id }),
      )
    const page = await acts.tab(await acts.signedIn(reader.who, clipboard), `/chat/${id}`)
    const articles = page.getByRole('article')
    await articles.nth(49).waitFor()
    assert.equal(await articles.count(), 50)
    // Another branch, which is shown, and the one before, which is not.
    const last = page.getByRole('article', { name: 'You' }).last()
    await last.getByRole('button', { name: 'Change the question' }).click()
    await last.getByRole('textbox').fill('Another end')
    await last.getByRole('button', { name: 'Send' }).click()
    await answeredTo(page, 'Another end')

    const choose = async (name: string) => {
      await page
        .locator('section.thread')
        .getByRole('button', { name: /^What can be done with/ })
        .click()
      await page.getByRole('button', { name, exact: true }).click()
    }
    await choose('Copy as Markdown')
    await page.getByText('Copied').waitFor()
    const text = await copied(page)
    const questions = [...text.matchAll(/^Question (\d+)$/gm)].map(([, at]) => Number(at))
    assert.deepEqual(
      questions,
      Array.from({ length: 29 }, (_, at) => at),
    )
    assert.match(text, /^# Question 0\n\n## You · \d{4}-\d\d-\d\d \d\d:\d\d\n\nQuestion 0\n\n## Writer · /)
    assert.match(text, /\n\nAnother end\n\n## Writer · .*\n\nThis is a demo model.* You said: Another end\n$/)
    assert.doesNotMatch(text, /Question 29/)

    const saved = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), choose(name)])
      return { name: file.suggestedFilename(), text: await contentOf(file) }
    }
    assert.deepEqual(await saved('Export as Markdown'), { name: 'Question 0.md', text })
    const json = await saved('Export as JSON')
    assert.equal(json.name, 'Question 0.json')
    const { messages, ...head } = JSON.parse(json.text) as {
      readonly messages: readonly { readonly content: string; readonly role: string }[]
    }
    assert.equal(messages.length, 60)
    assert.deepEqual(
      messages.filter(({ role }) => role === 'user').map(({ content }) => content),
      [...questions.map((at) => `Question ${String(at)}`), 'Another end'],
    )
    assert.equal((head as unknown as { readonly id: string }).id, id)
    assert.equal(await articles.count(), 50)

    // The other branch, once that is shown.
    await last.getByRole('button', { name: 'Version before' }).click()
    await answer(page).getByText('You said: Question 29').waitFor()
    await choose('Copy as Markdown')
    await until(async () => {
      const other = await copied(page)
      return other.includes('Question 29') && !other.includes('Another end')
    })
  })

  it('4.9: code is copied, wrapped and saved as a file of its language', async () => {
    const id = await converse(reader.api, 'Code:\n\n```python\nprint("a" * 200)\n```\n\n```\nplain\n```')
    const page = await acts.tab(await acts.signedIn(reader.who, clipboard), `/chat/${id}`)
    const save = answer(page).getByRole('button', { name: 'Download the code' })
    await save.first().waitFor()
    const saved = async (at: number) => {
      const [file] = await Promise.all([page.waitForEvent('download'), save.nth(at).click()])
      return [file.suggestedFilename(), await contentOf(file)]
    }
    assert.deepEqual(await saved(0), ['code.py', 'print("a" * 200)\n'])
    assert.deepEqual(await saved(1), ['code.txt', 'plain\n'])
    await answer(page).getByRole('button', { name: 'Wrap lines' }).first().click()
    await answer(page).getByRole('button', { name: 'Wrap lines', pressed: true }).waitFor()
    await answer(page).getByRole('button', { name: 'Copy the code' }).first().click()
    await answer(page).getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await copied(page), 'print("a" * 200)')
    assert.deepEqual(await axeFaults(page), [])
  })

  it('4.9: a question that another answer is in the way of comes back, with a way to stop that answer', async () => {
    const id = await converse(reader.api, 'Begin')
    const context = await acts.signedIn(reader.who)
    // Nothing tells this tab what others do.
    await context.route(/\/auth\/ws-ticket|\/events\/(user|tenant)/, (route) => route.abort())
    const page = await acts.tab(context, `/chat/${id}`)
    await answer(page).waitFor()
    const other = reader.api.post('/ai/agent-chat/writer/chat', { message: long, conversation_id: id })
    await until(async () => {
      const found = dataOf(await reader.api.get(`/ai/agent-chat/conversations/${id}`))
      return found['active_run_id'] !== null
    })
    await composerOf(page).fill('And mine?')
    await composerOf(page).press('Enter')
    const told = page.getByText('Another answer is being written in this conversation.')
    await told.waitFor()
    await answer(page).getByText('word20', { exact: false }).waitFor()
    assert.equal(await composerOf(page).inputValue(), 'And mine?')
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('Stopped').waitFor()
    await told.waitFor({ state: 'detached' })
    await other
    await page.getByRole('button', { name: 'Send' }).waitFor()
    assert.equal(await composerOf(page).inputValue(), 'And mine?')
    await composerOf(page).press('Enter')
    await answeredTo(page, 'And mine?')
  })

  it('4.9: without a network what was written stays, and goes only once its writer sends it', async () => {
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, '/chat')
    await composerOf(page).fill('Written on a train')
    const sent: string[] = []
    page.on('request', (request) => request.url().includes('/chat/stream') && sent.push(request.url()))
    await context.setOffline(true)
    const told = page.getByText('There is no network.')
    await told.waitFor()
    await composerOf(page).press('Enter')
    await page.getByRole('button', { name: 'Send' }).click({ force: true })
    assert.equal(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled'), 'true')
    assert.equal(await composerOf(page).inputValue(), 'Written on a train')
    await composerOf(page).press('End')
    await composerOf(page).pressSequentially(', in a tunnel')
    await context.setOffline(false)
    await told.waitFor({ state: 'detached' })
    assert.deepEqual(sent, [])
    assert.equal(await composerOf(page).inputValue(), 'Written on a train, in a tunnel')
    await page.getByRole('button', { name: 'Send' }).click()
    await answeredTo(page, 'Written on a train, in a tunnel')
    assert.equal(sent.length, 1)
  })
})

async function contentOf(file: Download): Promise<string> {
  return readFile(await file.path(), 'utf8')
}
