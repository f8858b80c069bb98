import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api, Body } from '../support/api.ts'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { answeredTo, ask, composerOf, newReader, type Reader } from './support/chats.ts'
import { useActs } from './support/stage.ts'

const many = 55

describe('who answers a new conversation', () => {
  const acts = useActs()
  let reader: Reader
  beforeEach(async () => void (reader = await newReader(acts.stage)))

  const agent = (page: Page, name: string) => page.getByRole('button', { name, exact: true, pressed: true })
  const options = (page: Page) => page.getByRole('listbox', { name: 'Agent' }).getByRole('option')
  const answer = (page: Page) => page.getByRole('article', { name: 'Answer' })

  it('Appendix A 3: is the one that its reader chose by name among their preferences, until that is taken back', async () => {
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    const [first = ''] = await offered(reader.api)
    await agent(page, first).waitFor()
    await page.goto(acts.at('/profile/preferences'))
    const field = page.getByRole('group', { name: 'Agent of a new conversation' })
    await field.getByText('No agent in particular').waitFor()
    await field.getByRole('button', { name: 'Choose an agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Agent of a new conversation' })
    await dialog.getByRole('radio', { name: /Writer/ }).check()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Take it' }).click()
    await field.getByText('Writer').waitFor()
    await page.goto(acts.at('/chat'))
    await agent(page, 'Writer').waitFor()
    await ask(page, 'Who are you?')
    assert.deepEqual(await agentsAsked(reader.api), ['Writer'])
    await page.goto(acts.at('/profile/preferences'))
    await field.getByRole('button', { name: 'No agent in particular' }).click()
    await field.getByText('No agent in particular').waitFor()
    await page.goto(acts.at('/chat'))
    await agent(page, first).waitFor()
  })

  it('4.9: is found among very many by its name, and is the preferred one however far down the list', async () => {
    const owner = await acts.stage.owner()
    const [first = ''] = await offered(reader.api)
    const ids = await publish(owner, many)
    try {
      const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
      const search = page.getByRole('searchbox', { name: /^Find one of \d+ agents/ })
      await search.fill('Zebra 54')
      await page.getByRole('button', { name: 'Zebra 54' }).click()
      await agent(page, 'Zebra 54').waitFor()
      await search.fill('no such agent')
      await page.getByText('Nothing fits these words').waitFor()
      await agent(page, 'Zebra 54').waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await ask(page, 'Hello')
      assert.deepEqual(await agentsAsked(reader.api), ['Zebra 54'])

      dataOf(await reader.api.patch('/preferences', { default_agent_id: ids.at(-2) }))
      await page.goto(acts.at('/chat'))
      await agent(page, 'Zebra 53').waitFor()
      // While it is looked for the first may be asked.
      const one = (url: URL) => url.pathname === '/ai/agents' && url.searchParams.has('id')
      const held = Promise.withResolvers<undefined>()
      await page.route(one, async (route) => {
        await held.promise
        await route.continue()
      })
      await page.goto(acts.at('/chat'))
      await agent(page, first).waitFor()
      await composerOf(page).waitFor()
      held.resolve(undefined)
      await agent(page, 'Zebra 53').waitFor()
      await page.unroute(one)
      // One that may not be used any more is none, and nothing more is read for it.
      dataOf(await owner.delete(`/admin/ai/agents/${ids.at(-2) ?? ''}`))
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname === '/ai/agents') asked.push(search)
      })
      await page.goto(acts.at('/chat'))
      await agent(page, first).waitFor()
      await page.waitForLoadState('networkidle')
      assert.deepEqual([...new Set(asked)].toSorted(), [`?id=${ids.at(-2) ?? ''}`, '?page_size=50'])
    } finally {
      for (const id of ids) await owner.delete(`/admin/ai/agents/${id}`)
    }
  })

  it('4.9: is chosen by @ with the keyboard, never while a name is composed, and Esc leaves what was typed', async () => {
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, '/chat')
    const names = await offered(reader.api)
    const [first = '', second = ''] = names
    await agent(page, first).waitFor()
    await composerOf(page).pressSequentially('Please @')
    const suggested = [...names.slice(0, 8), 'Whichever fits']
    await options(page)
      .nth(suggested.length - 1)
      .waitFor()
    assert.deepEqual(await namesOf(page), suggested)
    assert.deepEqual(await axeFaults(page), [])
    const active = () =>
      page.evaluate<string>(`(() => {
      const id = document.activeElement.getAttribute('aria-activedescendant')
      return document.getElementById(id).querySelector('.name').textContent
    })()`)
    assert.equal(await active(), first)
    await page.keyboard.press('ArrowUp')
    assert.equal(await active(), 'Whichever fits')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.equal(await active(), second)
    await page.keyboard.press('Escape')
    await options(page).first().waitFor({ state: 'detached' })
    assert.equal(await composerOf(page).inputValue(), 'Please @')
    await composerOf(page).pressSequentially('wri')
    assert.equal(await options(page).count(), 0)

    await composerOf(page).fill('')
    await composerOf(page).pressSequentially('Please @wri')
    await options(page).nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await namesOf(page), ['Writer'])
    await page.keyboard.press('Enter')
    await agent(page, 'Writer').waitFor()
    assert.equal(await composerOf(page).inputValue(), 'Please ')
    assert.equal(await answer(page).count(), 0)

    // What is composed is the input method's: the list comes with its end.
    await composerOf(page).fill('')
    const session = await context.newCDPSession(page)
    await composerOf(page).pressSequentially('@')
    await options(page).first().waitFor()
    await session.send('Input.imeSetComposition', { text: 'tra', selectionStart: 3, selectionEnd: 3 })
    await composerOf(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true })
    await agent(page, 'Writer').waitFor()
    await session.send('Input.insertText', { text: 'track' })
    await options(page).nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await namesOf(page), ['Tracker'])
    await page.keyboard.press('Tab')
    await agent(page, 'Tracker').waitFor()

    // An address is no mention, and in a conversation nobody is chosen any more.
    await composerOf(page).fill('')
    await composerOf(page).pressSequentially('me@wri')
    assert.equal(await options(page).count(), 0)
    await composerOf(page).press('Enter')
    await answeredTo(page, 'me@wri')
    await composerOf(page).pressSequentially('@wri')
    await composerOf(page).press('Enter')
    await answeredTo(page, '@wri')
    assert.deepEqual(await agentsAsked(reader.api), ['Tracker'])
  })

  it('4.9: is found by the server where its reader wants that, and the answer says who it is and how sure that was', async () => {
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    await page.getByRole('button', { name: 'Whichever fits' }).click()
    await page.getByText('Your first question goes to the agent that fits it best.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const question = 'Which agent answers questions about orders, refunds and deliveries?'
    const decision = dataOf(await reader.api.post('/ai/agent-chat/route', { message: question }))
    const { name } = decision['agent'] as unknown as { name: string }
    const share = `${Math.round(100 * Number(decision['confidence']))}%`
    assert.deepEqual([name, decision['fallback']], ['Support', false])
    await ask(page, question)
    const told = answer(page).getByText(`Answered by Support, ${share}`)
    await told.waitFor()
    // It stays known, and whoever was found answers what comes next.
    await page.reload()
    await told.waitFor()
    await ask(page, 'Thank you')
    assert.deepEqual([await told.count(), await agentsAsked(reader.api)], [1, ['Support']])
  })

  async function namesOf(page: Page): Promise<readonly string[]> {
    return options(page).locator('.name').allInnerTexts()
  }
})

/** The names of the agents that somebody may ask, in the order of the list; other tests leave some behind. */
async function offered(api: Api): Promise<readonly string[]> {
  const { items } = dataOf(await api.get('/ai/agents?page_size=50')) as unknown as { items: readonly Body[] }
  return items.map(({ name }) => textOf(name))
}

/** The agents of somebody's conversations. */
async function agentsAsked(api: Api): Promise<readonly unknown[]> {
  const { items } = dataOf(await api.get('/ai/agent-chat/conversations')) as unknown as { items: readonly Body[] }
  return items.map(({ agent }) => (agent as unknown as { name: string }).name)
}

/** Adds agents for everybody; their ids, by name. */
async function publish(owner: Api, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const number = String(at).padStart(2, '0')
    const wish = { code: `zebra-${number}`, name: `Zebra ${number}`, model: 'demo', access: { mode: 'all' } }
    const id = dataOf(await owner.post('/admin/ai/agents', wish), 201)['id'] as unknown as string
    ids.push(id)
    dataOf(await owner.post(`/admin/ai/agents/${id}/publish`, {}))
  }
  return ids
}
