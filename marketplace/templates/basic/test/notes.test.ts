import { deepEqual, equal } from 'node:assert/strict'
import { loadPlugin, type TestPlugin } from '@stoa/plugin-sdk/testing'

describe('notes', () => {
  let plugin: TestPlugin
  before(async () => {
    plugin = await loadPlugin('.', { config: { page_size: 1 } })
  })
  after(() => plugin[Symbol.asyncDispose]())

  it('keeps what is written, newest first and as many as configured', async () => {
    for (const text of ['one', 'two']) equal((await plugin.request('POST /notes', { body: { text } })).status, 201)
    const { items } = (await plugin.request('GET /notes')).data as { items: { text: string }[] }
    deepEqual(
      items.map(({ text }) => text),
      ['two'],
    )
  })

  it('refuses an empty note', async () => {
    const { status, error } = await plugin.request('POST /notes', { body: { text: '' } })
    deepEqual([status, error?.message], [422, 'text is 1 to 1000 characters'])
  })

  it('says hello in the language of the caller', async () => {
    const { data } = await plugin.request('GET /hello', {}, { user: null, locale: 'zh-CN' })
    deepEqual(data, { hello: '你好' })
  })

  it('lists notes on its page, and adds what is written there', async function () {
    if (!plugin.hasBrowser) this.skip()
    await using page = await plugin.openPage('notes')
    await page.getByLabel('New note').fill('from the page')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('from the page').waitFor()
    equal(await page.getByLabel('New note').inputValue(), '')
  })

  it('shows no form to whoever may only read', async function () {
    if (!plugin.hasBrowser) this.skip()
    await using page = await plugin.openPage('notes', { context: { user: { id: 7, permissions: ['read'] } } })
    equal(await page.getByRole('button', { name: 'Add' }).isVisible(), false)
  })
})
