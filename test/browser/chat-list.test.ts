import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { ask, converse, readerOfWriter, type Reader } from './support/chats.ts'
import { useActs } from './support/stage.ts'

const everybody = { tenant: 'all' } as const
const hour = 3_600_000
const many = 120

describe('the conversations beside a chat', () => {
  const acts = useActs()
  let reader: Reader
  beforeEach(async () => void (reader = await readerOfWriter(acts.stage)))

  const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
  const group = (page: Page, name: string) => list(page).getByRole('region', { name, exact: true })
  const titles = (page: Page, name: string) => group(page, name).getByRole('link').allInnerTexts()
  const rows = () => acts.stage.host.kernel.database.knex('ai_conversations').queryContext(everybody)
  const menuOf = (title: string) => ({ name: `What can be done with ${title}` })

  it('4.9: they stand under their days, as the reader’s time zone has them, those that are pinned before them', async () => {
    const now = new Date()
    // Where it is about noon: what was ten hours ago is of today there, and twenty hours ago of yesterday.
    const offset = 12 - now.getUTCHours()
    const timezone = offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
    dataOf(await reader.api.patch('/preferences', { timezone }))
    const ages = { Now: 0, Morning: 10, Evening: 20, 'Six days': 6 * 24, 'Seven days': 7 * 24, Old: 400 * 24, Kept: 30 }
    const ids = new Map<string, string>()
    for (const [title, hours] of Object.entries(ages)) {
      const id = await converse(reader.api, title)
      ids.set(title, id)
      await rows()
        .where({ id })
        .update({ updated_at: new Date(now.getTime() - hours * hour) })
    }
    dataOf(await reader.api.patch(`/ai/agent-chat/conversations/${ids.get('Kept') ?? ''}`, { pinned: true }))
    const page = await acts.tab(await acts.signedIn(reader.who), `/chat/${ids.get('Now') ?? ''}`)
    await group(page, 'Pinned').waitFor()
    await group(page, 'Today').waitFor()
    const monthOf = (hours: number) =>
      new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: timezone }).format(
        now.getTime() - hours * hour,
      )
    assert.deepEqual(await list(page).getByRole('heading').allInnerTexts(), [
      ...['Pinned', 'Today', 'Yesterday', 'Last 7 days', monthOf(7 * 24), monthOf(400 * 24)],
    ])
    assert.deepEqual(
      [await titles(page, 'Pinned'), await titles(page, 'Today'), await titles(page, 'Yesterday')],
      [['Kept'], ['Now', 'Morning'], ['Evening']],
    )
    assert.deepEqual(await titles(page, 'Last 7 days'), ['Six days'])
    assert.deepEqual(await axeFaults(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await axeFaults(page), [])
  })

  it('4.9: they are found by words, and more than fifty are read as they are wanted', async () => {
    const id = await converse(reader.api, 'A whale of a question')
    const row = (await rows().where({ id }).first()) as { readonly id: string; readonly updated_at: Date }
    const copies = Array.from({ length: many }, (_, at) => ({
      ...row,
      ...{ id: `${row.id.slice(0, -4)}${String(at).padStart(4, '0')}`, title: `Copy ${String(at)}` },
      updated_at: new Date(row.updated_at.getTime() - (at + 1) * 1000),
    }))
    await rows().insert(copies)
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    const links = list(page).getByRole('listitem')
    const more = list(page).getByRole('button', { name: 'Show more' })
    await more.waitFor()
    assert.equal(await links.count(), 50)
    const begun = await acts.tab(await acts.signedIn(reader.who), '/chat')
    await list(begun).getByRole('listitem').nth(49).waitFor()
    // What is begun meanwhile calls off no reading.
    const isNext = (url: URL) =>
      url.pathname.endsWith('/ai/agent-chat/conversations') && url.searchParams.get('page') === '2'
    const holdBack = async (route: Route) => {
      const response = await route.fetch()
      await converse(reader.api, 'Begun meanwhile')
      await list(begun).getByText('Begun meanwhile').waitFor()
      await page.waitForTimeout(500)
      await route.fulfill({ response })
    }
    await page.route(isNext, holdBack, { times: 1 })
    await more.click()
    await links.nth(99).waitFor()
    await list(page).getByText('Begun meanwhile').waitFor()
    await more.click()
    await links.nth(many + 1).waitFor()
    await more.waitFor({ state: 'detached' })
    assert.equal(await links.count(), many + 2)
    assert.equal(new Set(await list(page).getByRole('link').allInnerTexts()).size, many + 4)

    const search = list(page).getByRole('searchbox', { name: 'Find a conversation' })
    await search.fill('opy 77')
    await links.nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await links.allInnerTexts(), ['Copy 77'])
    await search.fill('whale')
    await links.filter({ hasText: 'A whale of a question' }).waitFor()
    await search.fill('no such words')
    await list(page).getByText('Nothing fits these words').waitFor()
    await search.fill('')
    await links.nth(49).waitFor()
  })

  it('4.9: each is named, pinned, archived and deleted from its menu by keyboard, and other tabs show it at once', async () => {
    const first = await converse(reader.api, 'The first')
    await converse(reader.api, 'The second')
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, `/chat/${first}`)
    const other = await acts.tab(context, '/chat')
    await group(other, 'Today').getByText('The first').waitFor()
    await page.bringToFront()
    const opener = (title: string) => list(page).getByRole('button', menuOf(title))

    await opener('The first').focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('group', menuOf('The first'))
    await menu.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await opener('The first').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const naming = page.getByRole('dialog', { name: 'Rename “The first”' })
    await naming.getByRole('textbox').fill('A name of its own')
    await page.keyboard.press('Enter')
    await naming.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'A name of its own', level: 1 }).waitFor()
    await list(other).getByText('A name of its own').waitFor()
    await until(async () => (await page.title()).includes('A name of its own · Chat · '))

    // Without a name it is given one of what was said.
    await opener('A name of its own').click()
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('  ')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'The first', level: 1 }).waitFor()
    await list(other).getByText('The first').waitFor()

    await list(page).getByText('The second').hover()
    await opener('The second').click()
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    for (const tab of [page, other]) await group(tab, 'Pinned').getByText('The second').waitFor()
    await opener('The second').click()
    await page.getByRole('button', { name: 'Unpin' }).click()
    for (const tab of [page, other]) await group(tab, 'Today').getByText('The second').waitFor()

    await opener('The second').click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    for (const tab of [page, other]) await list(tab).getByText('The second').waitFor({ state: 'detached' })
    assert.equal(dataOf(await reader.api.get('/ai/agent-chat/conversations?archived=true'))['total'], 1)

    // From the head of the thread, of what is shown.
    await page.locator('section.thread').getByRole('button', menuOf('The first')).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const asking = page.getByRole('dialog', { name: /^Delete .?The first/ })
    await asking.getByText('2 messages go.').waitFor()
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await asking.waitFor({ state: 'detached' })
    assert.equal(dataOf(await reader.api.get('/ai/agent-chat/conversations'))['total'], 1)
    await page.locator('section.thread').getByRole('button', menuOf('The first')).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    // What is gone is not read any more.
    const reads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes(`/conversations/${first}`)) reads.push(request.url())
    })
    await asking.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/chat$/)
    await list(page).getByText('There are no conversations yet').waitFor()
    assert.deepEqual(reads, [])
    assert.equal(dataOf(await reader.api.get('/ai/agent-chat/conversations'))['total'], 0)
  })

  it('52: on a phone it is a drawer that closes by Esc, by a touch beside it, and with what was chosen', async () => {
    const id = await converse(reader.api, 'Found on a phone')
    const context = await acts.signedIn(reader.who, { viewport: { width: 390, height: 780 }, hasTouch: true })
    const page = await acts.tab(context, '/chat')
    const opener = page.getByRole('button', { name: 'Conversations', exact: true })
    await opener.click()
    await group(page, 'Today').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Escape')
    await list(page).waitFor({ state: 'hidden' })
    await opener.click()
    await list(page).waitFor()
    await page.touchscreen.tap(370, 300)
    await list(page).waitFor({ state: 'hidden' })
    await opener.click()
    await list(page).getByRole('link', { name: 'Found on a phone' }).click()
    await page.waitForURL(new RegExp(id))
    await list(page).waitFor({ state: 'hidden' })
  })

  it('52: on a tablet its opener, which lies partly beside it, shuts it', async () => {
    await converse(reader.api, 'Found on a tablet')
    const page = await acts.tab(await acts.signedIn(reader.who, { viewport: { width: 900, height: 780 } }), '/chat')
    const opener = page.getByRole('button', { name: 'Conversations', exact: true })
    await opener.click()
    await group(page, 'Today').waitFor()
    const at = (await opener.boundingBox()) ?? assert.fail('there is an opener')
    // Its far edge, which the drawer leaves free.
    await page.mouse.click(at.x + at.width - 2, at.y + at.height / 2)
    await opener.and(page.locator('[aria-expanded="false"]')).waitFor()
    await list(page).waitFor({ state: 'hidden' })
    await opener.click()
    await list(page).waitFor()
    await page.mouse.click(600, 300)
    await list(page).waitFor({ state: 'hidden' })
  })

  it('4.9: what is begun in another tab, or over HTTP, comes to the list by itself, and goes', async () => {
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, '/chat')
    await list(page).getByText('There are no conversations yet').waitFor()
    const other = await acts.tab(context, '/chat')
    await ask(other, 'Begun elsewhere')
    await group(page, 'Today').getByText('Begun elsewhere').waitFor()
    const id = await converse(reader.api, 'Begun by a program')
    await group(page, 'Today').getByText('Begun by a program').click()
    await page.waitForURL(new RegExp(id))
    dataOf(await reader.api.delete(`/ai/agent-chat/conversations/${id}`))
    await page.waitForURL(/\/chat$/)
    await group(page, 'Today').getByText('Begun by a program').waitFor({ state: 'detached' })
  })
})
