import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { giveHostile, hostile, takeHostile, trapped } from './support/hostile-page.ts'
import { useActs } from './support/stage.ts'

describe('a page of a plugin that means harm', function () {
  this.timeout(180_000)
  const acts = useActs()

  before(() => giveHostile(acts))
  after(() => takeHostile(acts))

  it('34: it leads neither the tab nor its frame elsewhere, fills no history, and no picture of it runs', async () => {
    const heard: string[] = []
    const tcp = createServer((socket) => void (heard.push('connection'), socket.destroy())).listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const elsewhere = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`
    try {
      for (const to of [elsewhere, '/console/', '/openapi.json', 'data:text/html,x', 'blob:null/x']) {
        const { page, inside } = await trapped(acts)
        const length = await page.evaluate<number>('history.length')
        await inside.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(to)} })`)
        await until(() => !inside.url().includes('/ui/page.html'), 5_000).catch(() => undefined)
        assert.equal(page.url(), acts.at(`/plugins/${hostile}/trap`), to)
        assert.ok(!(await shows(page, inside.url())), to)
        assert.ok((await page.evaluate<number>('history.length')) <= length + 1, to)
        await page.close()
      }
      assert.deepEqual(heard, [])
    } finally {
      tcp.close()
    }
    for (const [file, said] of [
      ['tell.html', ['it runs']],
      ['tell.svg', []],
    ] as const) {
      const { page, inside } = await trapped(acts)
      await page.evaluate(`self.heard = []; addEventListener('message', ({ data }) => self.heard.push(data))`)
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith(`/ui/${file}`)),
        inside.evaluate(`void setTimeout(() => { location.href = '${file}' })`),
      ])
      if (said.length > 0) await page.getByText('It was taken away').waitFor()
      else await page.getByText('It does not answer').waitFor()
      assert.deepEqual(await page.evaluate('self.heard'), said)
      await page.close()
    }
  })

  const places: readonly (readonly [string, string, (page: Page) => Promise<Locator>])[] = [
    ['a form', '/profile', async (page) => focused(page.getByLabel('Name', { exact: true }))],
    ['a conversation', '/chat', async (page) => focused(page.getByLabel('Write a message'))],
    [
      'a dialogue',
      '/tenant',
      async (page) => {
        await page.getByRole('button', { name: 'Go to or find' }).click()
        return focused(page.getByRole('combobox'))
      },
    ],
  ]
  for (const [where, place, fieldOf] of places) {
    it(`34: of keys that are typed into ${where} none is lost and none read, and the slot says why the page is gone`, async () => {
      const { page, inside } = await trapped(acts, place)
      const read: string[] = []
      page.on('console', (message) => message.text().startsWith('read: ') && read.push(message.text()))
      const field = await fieldOf(page)
      await field.fill('')
      const grab = page.locator('iframe[title="Grab · Hostile"]')
      await page.keyboard.type('every key of')
      assert.equal(await grab.count(), 1)
      // Between two keys: one on its way at the very moment of the theft goes where the browser had sent it.
      await inside.evaluate(`setInterval(() => { window.focus(); document.getElementById('word').focus() }, 1)`)
      await grab.waitFor({ state: 'detached' })
      await page.keyboard.type(' this sentence')
      assert.equal(await field.inputValue(), 'every key of this sentence')
      assert.deepEqual(read, [])
      const again = page.getByRole('region', { name: 'Grab · Hostile' }).getByText('It was taken away')
      await again.waitFor({ state: 'attached' })
      assert.match((await again.getAttribute('title')) ?? '', /\w/)
      await field.fill('')
    })
  }
})

/** Whether a document of that address is drawn in the frame, and is not what a browser shows of what it refused. */
async function shows(page: Page, url: string): Promise<boolean> {
  if (!url.startsWith('http') || url.includes('/ui/page.html')) return false
  const frame = page.frames().find((each) => each.url() === url)
  return ((await frame?.evaluate<string>('document.body.innerText').catch(() => '')) ?? '') !== ''
}

async function focused(field: Locator): Promise<Locator> {
  await field.focus()
  return field
}
