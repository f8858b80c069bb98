import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { makeAgent } from '../core-plugins/agents/world.ts'
import { learnt, remembers, say, textsOf } from '../core-plugins/memory/world.ts'
import { axeFaults } from './support/axe.ts'
import { isFocused, pressByKey, tabTo } from './support/by-keyboard.ts'
import { newReader, type Reader } from './support/chats.ts'
import { useActs } from './support/stage.ts'
import { until } from '../support/until.ts'

describe('what agents remember of their reader', () => {
  const acts = useActs()
  let reader: Reader
  let agent: string
  before(async () => {
    agent = await makeAgent(await acts.stage.owner(), { code: 'remembers', memory: remembers, generate_titles: false })
  })
  after(async () => void (await (await acts.stage.owner()).delete(`/admin/ai/agents/${agent}`)))
  beforeEach(async () => void (reader = await newReader(acts.stage)))

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

  it('41, 50: is read, corrected and forgotten by keyboard, and another tab shows what there is', async () => {
    await learnt(reader.api, await say(reader.api, agent, 'Hello. I prefer short answers! My name is Anna.'))
    const wish = 'I prefer short answers!'
    const others = (await textsOf(reader.api)).filter((text) => text !== wish)
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, '/memories')
    await row(page, wish).waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await pressByKey(page, button(page, `Correct “${wish}”`))
    const correcting = page.getByRole('dialog', { name: 'Correct it' })
    const field = correcting.getByRole('textbox', { name: 'What' })
    await until(() => isFocused(field))
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await pressByKey(page, button(correcting, 'Save'))
    // Nothing cannot be remembered: what was there stays.
    await correcting.getByRole('alert').waitFor()
    assert.ok((await textsOf(reader.api)).includes(wish))
    await tabTo(page, field)
    await page.keyboard.type('I prefer long answers.')
    await pressByKey(page, button(correcting, 'Save'))
    await correcting.waitFor({ state: 'detached' })
    await row(page, 'I prefer long answers.').waitFor()
    assert.deepEqual(await textsOf(reader.api), [...others, 'I prefer long answers.'].sort())

    await pressByKey(page, button(page, 'Forget “I prefer long answers.”'))
    const forgetting = page.getByRole('dialog', { name: 'Forget it?' })
    await pressByKey(page, button(forgetting, 'Forget'))
    await forgetting.waitFor({ state: 'detached' })
    await row(page, 'I prefer long answers.').waitFor({ state: 'detached' })
    assert.deepEqual(await textsOf(reader.api), others)
    const second = await acts.tab(context, '/memories')
    for (const text of others) await row(second, text).waitFor()
    assert.equal(await row(second, 'long answers').count(), 0)
  })
})
