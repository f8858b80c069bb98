import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Frame, Locator, Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { foreignPaths } from './support/foreign-paths.ts'
import { framed, giveFramed, packFramed } from './support/framed.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

const place = `/plugins/${framed}/book`
/** A header on every request would make a browser ask before it loads the scripts of a page with an origin of its own. */
const plain = { extraHTTPHeaders: {} }

describe('pages of plugins in the console', () => {
  const acts = useActs()
  let owner: Api

  before(async () => {
    owner = await giveFramed(acts.stage)
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/plugins/${framed}?purge=true`)
  })

  it('39: a page is told where it is and for whom; back and forward work inside it', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain), '/tenant')
    const widget = page.frameLocator('iframe[title="Today · Framed"]')
    await widget.getByText('en light / demo read list inline').waitFor()
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Book', exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Book' }).waitFor()
    const inside = page.frameLocator('iframe')
    await inside.getByText('en light / demo read list page').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await inside.getByRole('button', { name: 'Next' }).click()
    await inside.getByText('light /entries/1 demo').waitFor()
    await inside.getByRole('button', { name: 'Next' }).click()
    await inside.getByText('light /entries/2 demo').waitFor()
    await page.waitForURL(/r=%2Fentries%2F2$|r=\/entries\/2$/)
    await page.goBack()
    await inside.getByText('light /entries/1 demo').waitFor()
    await page.goForward()
    await inside.getByText('light /entries/2 demo').waitFor()
  })

  it('39: where a page goes by itself it goes in order, and adds nothing to the way back', async () => {
    const { page, inside } = await opened()
    const before = await page.evaluate<number>('history.length')
    await inside.evaluate(`Promise.all([stoa.navigate('/entries/8'), stoa.navigate('/entries/9', { replace: true })])`)
    await page.waitForURL(/r=(%2F|\/)entries(%2F|\/)9$/)
    assert.equal(await page.evaluate('history.length'), before)
  })

  it('39: theme, language and preferences reach a page that is open, and it is not loaded anew', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain), `${place}?r=/entries/2`)
    const inside = page.frameLocator('iframe')
    await inside.getByText('en light /entries/2 demo read list page').waitFor()
    const before = frameOf(page)
    await before.evaluate(`stoa.preferences.set({ layout: 'cards' })`)
    await (await accountOf(page)).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.getByRole('button', { name: '中文' }).click()
    await inside.getByText('zh-CN dark /entries/2 demo read cards page').waitFor()
    assert.equal(frameOf(page), before)
    for (const key of ['theme', 'locale', `plugin.${framed}.layout`]) dataOf(await owner.delete(`/preferences/${key}`))
  })

  it('32: a request reaches the plugin’s own routes, in its own tenant, and no other path however it is spelt', async () => {
    const { page, inside } = await opened()
    const answer = await inside.evaluate<unknown>(`stoa.get('/echo/hello')`)
    assert.deepEqual(answer, { word: 'hello', tenant: 'demo' })
    assert.deepEqual(await inside.evaluate(`stoa.post('/words', { words: 'four' })`), { length: 4 })
    const refused = await inside.evaluate<unknown>(`stoa.get('/none').catch(({ status, code }) => [status, code])`)
    assert.deepEqual(refused, [404, 4044])
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const reasons = await inside.evaluate<readonly string[]>(
      `Promise.all(${JSON.stringify(foreignPaths)}.map((path) => stoa.request({ method: 'GET', path }).then(() => path, ({ reason }) => reason)))`,
    )
    assert.deepEqual(reasons, Array(foreignPaths.length).fill('forbidden'))
    assert.deepEqual(
      sent.filter((url) => url.includes('/api')),
      [],
    )
  })

  it('31, 33: a page finds nothing of the console, and reaches nobody else by any means', async () => {
    const tcp = createServer((socket) => {
      heard.push('connection')
      socket.destroy()
    }).listen(0, '127.0.0.1')
    const udp = createSocket('udp4', () => heard.push('packet')).bind(0, '127.0.0.1')
    const heard: string[] = []
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
    const at = `127.0.0.1:${(tcp.address() as AddressInfo).port}`
    try {
      const { inside } = await opened()
      const found = await inside.evaluate<unknown>(`(async () => {
        const attempt = async (work) => { try { return await work() ?? 'nothing' } catch { return 'refused' } }
        return Promise.all([
          () => document.cookie, () => localStorage.length, () => indexedDB.databases(), () => parent.document.title,
          () => top.location.href, () => parent.frames[0] === window ? 'refused' : parent.frames[0].document.title,
          () => fetch('/auth/me'), () => fetch('http://${at}/'), () => navigator.sendBeacon('http://${at}/') && 'refused',
          () => new Promise((done, fail) => { const one = new Image(); one.onload = done; one.onerror = fail; one.src = 'http://${at}/a.png' }),
          () => new Promise((done, fail) => { const one = new WebSocket('ws://${at}/'); one.onopen = done; one.onerror = fail }),
          () => import('http://${at}/a.js'), 
          () => new Promise((done, fail) => { const one = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); one.onmessage = done; one.onerror = fail }),
        ].map(attempt))
      })()`)
      assert.deepEqual(found, Array(13).fill('refused'))
      const types = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']
      assert.deepEqual(
        await inside.evaluate(`${JSON.stringify(types)}.map((name) => typeof globalThis[name])`),
        types.map(() => 'undefined'),
      )
      // The form takes its own page away.
      const sent = inside.evaluate(`(() => {
        const link = Object.assign(document.createElement('link'), { rel: 'dns-prefetch', href: 'http://${at}/' })
        const form = Object.assign(document.createElement('form'), { action: 'http://${at}/', method: 'post' })
        document.head.append(link, Object.assign(link.cloneNode(), { rel: 'preconnect' }), Object.assign(link.cloneNode(), { rel: 'prefetch' }))
        document.body.append(form)
        form.submit()
      })()`)
      await sent.catch(() => undefined)
      // What was asked for before another page is there did not go out.
      await opened()
      assert.deepEqual(heard, [])
    } finally {
      tcp.close()
      udp.close()
    }
  })

  it('34: it leads nobody elsewhere, opens nothing, and takes no key that was meant for the console', async () => {
    const { page, inside } = await opened()
    const tried = await inside.evaluate<unknown>(`(() => {
      const attempt = (work) => { try { return work() ?? 'nothing' } catch { return 'refused' } }
      return [() => { top.location = 'about:blank' }, () => parent.history.back(), () => window.open('/console/') ?? 'refused',
        () => { alert('x'); return 'refused' }].map(attempt)
    })()`)
    assert.deepEqual(tried, Array(4).fill('refused'))
    const length = await page.evaluate<number>('history.length')
    await inside.evaluate(`for (let at = 0; at < 20; at++) history.pushState(null, '', '?' + at)`)
    assert.equal(await page.evaluate<number>('history.length'), length)
    assert.equal(await inside.evaluate(`stoa.copy('stolen').catch(({ reason }) => reason)`), 'forbidden')

    await page.getByRole('button', { name: 'Go to or find' }).click()
    const field = await palette(page)
    // Between two keys: one on its way at the very moment of the theft goes where the browser had sent it.
    await page.keyboard.type('every key')
    await inside.evaluate(`setInterval(() => { window.focus(); document.getElementById('word').focus() }, 1)`)
    await page.getByText('It was taken away').waitFor({ state: 'attached' })
    await page.keyboard.type(' of it')
    assert.equal(await field.inputValue(), 'every key of it')
    assert.equal(await page.locator('iframe').count(), 0)
  })

  it('35, 37: what no page sends takes the frame away, a second hello gives a new port, and the console goes on', async () => {
    const { page, inside } = await opened()
    await page.evaluate(`window.postMessage({ stoa: 'hello', protocols: [1], path: '/' }, '*')`)
    const ports = await inside.evaluate<unknown>(`(async () => {
      const first = stoa
      const second = await connect()
      const late = first.get('/echo/late').then(() => 'answered')
      const { word } = await second.get('/echo/second')
      return [word, await Promise.race([late, new Promise((done) => setTimeout(done, 300, 'silent'))])]
    })()`)
    assert.deepEqual(ports, ['second', 'silent'])
    await inside.evaluate(
      `void connect().then((last) => { for (let at = 0; at < 30000; at++) last.setTitle('x' + at) })`,
    )
    await page.getByText('It was taken away').waitFor()
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await page.frameLocator('iframe').getByText('demo read').waitFor()
    await frameOf(page).evaluate(`parent.postMessage('x'.repeat(100), '*')`)
    await page.getByText('It was taken away').waitFor()
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await page.frameLocator('iframe').getByText('demo read').waitFor()
    await frameOf(page).evaluate(`void setTimeout(() => { for (;;); })`)
    await page.getByRole('button', { name: 'About Book' }).click()
    await page.getByText(`${framed} 1.0.0`).waitFor()
    await page.close()
  })

  it('36: another release is shown with the same route; a page that is disabled is gone, and says so', async () => {
    const { page } = await opened('?r=/entries/5')
    const inside = page.frameLocator('iframe')
    await inside.getByText('/entries/5').waitFor()
    const staff = await acts.stage.staff()
    const before = new URL(frameOf(page).url()).pathname
    const file = { field: 'file', name: 'a.zip', content: await packFramed('1.1.0') }
    dataOf(await staff.call('POST', `/admin/plugins/${framed}/upgrade`, { file }))
    await page.locator(`iframe[src="${before}"]`).waitFor({ state: 'detached' })
    await inside.getByText('/entries/5').waitFor()
    dataOf(await owner.post(`/tenant/plugins/${framed}/disable`))
    await page.getByText('This page is not there').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    dataOf(await owner.post(`/tenant/plugins/${framed}/enable`))
    await inside.getByText('/entries/5').waitFor()
  })

  it('a page asks in the console’s own words, and copies after a click', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain), place)
    const inside = page.frameLocator('iframe')
    await inside.getByRole('button', { name: 'Ask' }).click()
    const dialog = page.getByRole('dialog', { name: 'Framed asks' })
    await dialog.getByText('Delete it?').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await inside.getByText('true').waitFor()
    await inside.getByRole('button', { name: 'Copy' }).click()
    await inside.getByText('copied', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Go to or find' }).click()
    const field = await palette(page)
    await page.keyboard.press('Control+V')
    await until(async () => (await field.inputValue()) === 'copied')
  })

  /** The field of the palette, once keys go there. */
  async function palette(page: Page): Promise<Locator> {
    await page.locator('[role="combobox"]:focus').waitFor()
    return page.getByRole('combobox')
  }
  /** The page in a tab whose faults are those of what is tried in it. */
  async function opened(more = ''): Promise<{ readonly page: Page; readonly inside: Frame }> {
    const page = await (await acts.signedIn(demoOwner(acts.stage), plain)).newPage()
    await page.goto(acts.at(place + more))
    await page.frameLocator('iframe').getByText('demo read').waitFor()
    return { page, inside: frameOf(page) }
  }
})

function frameOf(page: Page): Frame {
  return page.frames().find((frame) => frame.url().includes('/plugin-ui/')) ?? assert.fail('there is no frame')
}
