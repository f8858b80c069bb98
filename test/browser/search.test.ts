import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { dataOf } from '../support/platform.ts'
import { textOf } from '../support/attachments.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { admin, demoOwner, useActs } from './support/stage.ts'

describe('the search of the console', () => {
  const acts = useActs()

  it('offers the pages lately opened first, whose titles the reader gave', async () => {
    const context = await acts.signedIn()
    const page = await acts.tab(context, '/admin/tenants')
    await page.getByRole('link', { name: 'Demo' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor()
    const demo = new URL(page.url()).pathname.replace('/console', '')
    const staff = await acts.stage.staff()
    const latest = async () => {
      const { items } = dataOf(await staff.get('/preferences')) as unknown as {
        readonly items: readonly { readonly key: string; readonly value: unknown }[]
      }
      const kept = items.find(({ key }) => key === 'console.recent')?.value as
        { readonly pages: readonly { readonly path: string; readonly title: string }[] } | null | undefined
      return kept?.pages[0]
    }
    // Where the page took long it was noted before its own name was there.
    await until(async () => isDeepStrictEqual(await latest(), { path: demo, title: 'Demo' }))
    await page.goto(acts.at('/admin/system'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const first = page.getByRole('dialog').getByRole('option').first()
    await first.filter({ hasText: 'Demo' }).getByText('lately opened').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor()
  })

  it('leads from the palette to all that was found, whose address can be kept', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    await page.getByRole('link', { name: 'Demo' }).first().waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: /^Go to or find/ })
    await palette.fill('demo')
    await page.getByRole('option', { name: 'Demo demo' }).waitFor()
    await page.getByRole('option', { name: 'Search everywhere for “demo”' }).click()
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
    assert.match(page.url(), /\/search\?q=demo$/)
    await page.reload()
    const tenants = page.getByRole('region', { name: 'Tenants' })
    await tenants.getByRole('link', { name: 'Demo' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('searchbox').fill('operations')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Operations' }).waitFor()
    await page.getByRole('searchbox').fill('there is no such thing')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing fits' }).waitFor()
  })

  it('a sign before the words finds only what can be done in the page, people, or conversations', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    await page.getByRole('button', { name: 'New tenant' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: /^Go to or find/ })
    const options = page.getByRole('dialog').getByRole('option')
    await palette.fill('>new')
    await options.first().waitFor()
    assert.deepEqual(await options.allInnerTexts(), ['New tenant\nin this page'])
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Enter')
    const made = page.getByRole('dialog', { name: 'New tenant' })
    await made.waitFor()
    await page.keyboard.press('Escape')
    await made.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await palette.fill('@admin')
    await options.filter({ hasText: admin.email }).waitFor()
    assert.ok((await options.allInnerTexts()).every((text) => text.includes('@')))
    // The platform's staff have no conversations.
    await palette.fill('#')
    await until(async () => (await options.count()) === 0)
    assert.equal(await page.getByText('Nothing fits').count(), 0)
    await palette.fill('#admin')
    await page.getByText('Nothing fits').waitFor()
    await palette.fill('new tenant')
    await options.filter({ hasText: 'in this page' }).waitFor()
  })

  it('# finds conversations, by their title alone', async () => {
    const owner = await acts.stage.owner()
    const agents = dataOf(await owner.get('/admin/ai/agents?status=published'))['items'] as unknown as {
      readonly code: string
    }[]
    const title = 'Quarterly whales'
    const { conversation_id: id } = dataOf(
      await owner.post(`/ai/agent-chat/${agents[0]?.code}/chat`, { message: title }),
    )
    dataOf(await owner.patch(`/ai/agent-chat/conversations/${textOf(id)}`, { title }))
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/conversations')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Go to or find/ }).fill('#quarterly')
    await page.getByRole('dialog').getByRole('option', { name: title }).waitFor()
    assert.equal(await page.getByRole('dialog').getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\//)
  })
})
