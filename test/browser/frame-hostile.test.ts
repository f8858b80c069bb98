import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { giveHostile, hostile, takeHostile, trapped } from './support/hostile-page.ts'
import { useActs } from './support/stage.ts'

describe('a page of a plugin that means harm', () => {
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

  const fillers: readonly (readonly [string, string])[] = [
    ['by many steps at once', `for (let at = 0; at < 60; at++) location.hash = at`],
    ['step by step', `void setInterval(() => { location.hash = Math.random() }, 200)`],
    [
      'by frames of its own',
      `void (() => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.src = 'about:blank?'
        setTimeout(() => { for (let at = 0; at < 60; at++) frame.contentWindow.location.href = 'about:blank?#' + at }, 300)
      })()`,
    ],
  ]
  for (const [how, code] of fillers) {
    it(`34: it that fills the history ${how} is taken away, and the way back is that of the console`, async () => {
      const { page } = await trapped(acts, '/chat')
      const go = async (path: string) => {
        await page.goto(acts.at(path))
        await page.locator('h1').first().waitFor()
      }
      await go('/profile')
      await go('/tenant')
      await go(`/plugins/${hostile}/trap`)
      await fillAndReturn(page, code)
      // What frames within a page add to a full history is seen by nobody.
      if (code.includes('iframe')) return
      await go('/tenant')
      await go(`/plugins/${hostile}/trap`)
      await fillAndReturn(page, code)
    })
  }

  /** The page in the frame fills the history; its reader goes back through the pages of the console, and on again. */
  async function fillAndReturn(page: Page, code: string): Promise<void> {
    const frame = page.locator('.holder:not(.waiting) > iframe[title="Trap · Hostile"]:not(.waiting)')
    const inside = await (await frame.elementHandle())?.contentFrame()
    const profile = `navigation.entries().findLast(({ url }) => url.endsWith('/profile'))?.key ?? ''`
    const before = await page.evaluate<string>(profile)
    await inside?.evaluate(code)
    await page.getByRole('main').getByText('It was taken away').waitFor()
    // Of a full history the first steps are gone until they are put back.
    await until(async () => !['', before].includes(await page.evaluate<string>(profile)))
    for (const path of ['/tenant', '/profile', '/chat']) {
      await page.goBack()
      await page.waitForURL((url) => url.pathname.startsWith(`/console${path}`))
      await page.locator('h1').first().waitFor()
    }
    await page.goForward()
    await page.waitForURL((url) => url.pathname === '/console/profile')
  }

  it('34: it downloads and copies nothing without a click, and a click may lead on within it as often as a reader likes', async () => {
    const { page, inside } = await trapped(acts)
    const downloads: string[] = []
    page.on('download', (download) => void downloads.push(download.url()))
    const reasons = await inside.evaluate<unknown>(`(async () => {
      const reason = (asked) => asked.then(() => 'done', ({ reason }) => reason)
      const link = Object.assign(document.createElement('a'), { href: 'data:text/csv,a', download: 'a.csv' })
      document.body.append(link)
      link.click()
      Object.assign(link, { href: URL.createObjectURL(new Blob(['a'])) }).click()
      return Promise.all([
        reason(stoa.download({ name: 'a.csv', mime: 'text/csv', base64: 'YQ==' })),
        reason(stoa.copy('stolen')),
        navigator.clipboard.writeText('stolen').then(() => 'done', () => 'forbidden'),
      ])
    })()`)
    assert.deepEqual(reasons, ['forbidden', 'forbidden', 'forbidden'])
    await inside.evaluate(`document.body.append(Object.assign(document.createElement('button'), {
      textContent: 'On', onclick: () => { location.hash = Number(location.hash.slice(1)) + 1 } }))`)
    for (let at = 1; at <= 8; at += 1) {
      await inside.getByRole('button', { name: 'On' }).click()
      await until(() => inside.url().endsWith(`#${at}`))
    }
    // Longer than it takes to see what is added.
    await page.waitForTimeout(600)
    assert.ok(inside.url().endsWith('#8'))
    assert.equal(await page.getByText('It was taken away').count(), 0)
    assert.deepEqual(downloads, [])
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
