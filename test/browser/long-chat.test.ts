import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { lengthen } from './support/long-conversation.ts'
import { demoOwner, useActs, type Stage } from './support/stage.ts'

const many = 1_000
/** How many are shown before somebody asks for earlier ones. */
const shown = 50

describe('a long conversation', () => {
  const acts = useActs()

  it('45: of a thousand messages the last ones open as fast as a short one, the rest comes above without moving what is read', async () => {
    const [short, long] = [await begin(acts.stage), await begin(acts.stage)]
    await lengthen(acts.stage, long, many)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/chat')
    // The fastest of a few: a machine that stalls for once says nothing of the page.
    const times = { quick: [] as number[], slow: [] as number[] }
    for (let time = 0; time < 3; time += 1) {
      times.quick.push(await open(page, short, 2))
      times.slow.push(await open(page, long, shown))
      await page.goto(acts.at('/chat'))
    }
    await open(page, long, shown)
    const [quick, slow] = [Math.min(...times.quick), Math.min(...times.slow)]
    const articles = page.getByRole('article')
    assert.equal(await articles.count(), shown)
    assert.ok(slow < 4 * quick + 1_000, `${slow} ms beside ${quick} ms`)

    const earlier = page.getByRole('button', { name: 'Show earlier messages' })
    const view = page.getByRole('log', { name: 'Messages' })
    for (let count = shown; count < many; count += shown) {
      const first = await articles.first().elementHandle()
      await view.evaluate((box: { scrollTop: number }) => (box.scrollTop = 0))
      const before = (await first?.boundingBox())?.y ?? 0
      await earlier.click()
      await articles.nth(count + shown - 1).waitFor({ state: 'attached' })
      const after = (await first?.boundingBox())?.y ?? 0
      assert.ok(Math.abs(after - before) <= 2, `${count}: ${before} became ${after}`)
    }
    assert.equal(await articles.count(), many)
    await earlier.waitFor({ state: 'detached' })

    const heavy = await typing(page)
    const scrolled = await scrolling(page)
    await open(page, short, 2)
    const light = await typing(page)
    assert.ok(heavy < 6 * light + 10, `a key takes ${heavy} ms beside ${light} ms`)
    assert.ok(scrolled < 500, `a frame takes ${scrolled} ms`)
  })

  it('4.9: earlier messages stay when somebody asks; what stands in the place of older ones is told, read and made anew', async () => {
    const long = await begin(acts.stage)
    await lengthen(acts.stage, long, many)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/chat/${long}`)
    const articles = page.getByRole('article')
    await articles.nth(shown - 1).waitFor()
    await page.getByRole('button', { name: 'Show earlier messages' }).click()
    await articles.nth(2 * shown - 1).waitFor({ state: 'attached' })
    await page.getByLabel('Write a message').fill('And now?')
    await page.keyboard.press('Enter')
    await articles.getByText('You said: And now?').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await until(async () => (await articles.count()) === 2 * shown + 2)
    await page.getByRole('button', { name: 'Show earlier messages' }).click()
    await articles.nth(3 * shown + 1).waitFor({ state: 'attached' })

    await page.getByText(/% of [\d,]+ tokens/).waitFor()
    await page.getByRole('button', { name: /older messages are summarised|What the model still reads/ }).click()
    const dialog = page.getByRole('dialog', { name: 'What the model still reads' })
    await dialog.getByRole('button', { name: /^Summarise/ }).click()
    await dialog.getByText('Summary 1').waitFor()
    await dialog.getByRole('button', { name: 'Summarise again', disabled: false }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Summarise again' }).click()
    await dialog.getByText('Summary 2').waitFor()
  })

  /** Opens it by its link; how long until so many messages are there, which are those of the one that was left no more. */
  async function open(page: Page, id: string, count: number): Promise<number> {
    const link = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${id}"]`)
    await link.waitFor()
    const at = performance.now()
    await link.click()
    await page.waitForURL(new RegExp(id))
    await page.getByRole('article').nth(count).waitFor({ state: 'detached' })
    await page
      .getByRole('article')
      .nth(count - 1)
      .waitFor()
    return performance.now() - at
  }
  /** Milliseconds of a key in the composer, until it is drawn. */
  function typing(page: Page): Promise<number> {
    return page.evaluate<number>(`(async () => {
      const field = document.querySelector('textarea')
      const times = []
      for (let key = 0; key < 30; key++) {
        const at = performance.now()
        field.value += 'x'
        field.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise((done) => queueMicrotask(done))
        field.getBoundingClientRect()
        times.push(performance.now() - at)
      }
      return times.sort((one, other) => one - other)[15]
    })()`)
  }
  /** Milliseconds of a frame, in the middle of those that it takes to scroll through all. */
  function scrolling(page: Page): Promise<number> {
    return page.evaluate<number>(`(async () => {
      const view = document.querySelector('[role="log"]')
      const times = []
      for (let step = 0; step < 30; step++) {
        const at = performance.now()
        view.scrollTop = view.scrollHeight * step / 30
        await new Promise(requestAnimationFrame)
        times.push(performance.now() - at)
      }
      return times.sort((one, other) => one - other)[15]
    })()`)
  }
})

/** A conversation of one question and its answer. */
async function begin(stage: Stage): Promise<string> {
  const owner = await stage.owner()
  const agents = dataOf(await owner.get('/ai/agents'))['items'] as unknown as readonly { readonly id: string }[]
  const message = '**Hello**, `code` and\n\n- one\n- two'
  const asked = dataOf(await owner.post(`/ai/agent-chat/${agents[0]?.id ?? ''}/chat`, { message }))
  return asked['conversation_id'] as unknown as string
}
