import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { giveHostile, reader, takeHostile, trapped } from './support/hostile-page.ts'
import { useActs, type Acts } from './support/stage.ts'

/** Longer than a frame takes to load. */
const soon = 1_500
const quoted = `text.replaceAll('"', '&quot;')`
/** Ways of a page to a frame of its own that shows `text`, which loads a script. */
const ways: readonly (readonly [string, string])[] = [
  ['by what it shows', `frame.srcdoc = text; document.body.append(frame)`],
  ['by what it shows later', `document.body.append(frame); setTimeout(() => { frame.srcdoc = text }, 200)`],
  ['in a text', `document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="' + ${quoted} + '"></iframe>')`],
  [
    'that is let go again',
    `frame.srcdoc = text; document.body.append(frame)
    setTimeout(() => { frame.removeAttribute('sandbox'); frame.srcdoc = text + ' ' }, 200)`,
  ],
  [
    'in a closed root',
    `frame.srcdoc = text; document.body.appendChild(host).attachShadow({ mode: 'closed' }).append(frame)`,
  ],
  [
    'in the copy of a root',
    `frame.srcdoc = text; host.attachShadow({ mode: 'closed', clonable: true }).append(frame); document.body.append(host.cloneNode(true))`,
  ],
  [
    'in a root made of text',
    `document.body.appendChild(host).setHTMLUnsafe?.(
      '<div><template shadowrootmode="closed"><iframe srcdoc="' + ${quoted} + '"></iframe></template></div>')`,
  ],
  ['in a root of a page', `location.href = 'rooted.html'`],
  ['in a root that a page writes', `location.href = 'writing.html'`],
  [
    'once it changed what holds it',
    `Element.prototype.remove = Element.prototype.setAttribute = Document.prototype.querySelectorAll = () => []
    MutationObserver.prototype.observe = () => undefined
    Object.prototype.attributeOldValue = true
    Array.prototype[Symbol.iterator] = function* () {}
    frame.srcdoc = text
    document.body.append(frame.cloneNode())
    document.body.append(host)
    try { host.attachShadow({ mode: 'open' }) } catch {}
    host.shadowRoot.append(frame)`,
  ],
  [
    'whose going runs its code',
    `frame.srcdoc = text
    customElements.define('a-frame', class extends HTMLIFrameElement { disconnectedCallback() { this.nextSibling?.remove(); host.remove() } }, { extends: 'iframe' })
    document.body.append(document.createElement('iframe', { is: 'a-frame' }), host, frame)`,
  ],
]

describe('a page in a browser that does not know how to keep it from others', function () {
  this.timeout(180_000)
  const acts = useActs()

  before(() => giveHostile(acts))
  after(() => takeHostile(acts))

  it('33: has nothing to speak with, and no way to a frame of its own that runs a script', async () => {
    const context = await withoutAllowList(acts)
    const ran: string[] = []
    for (const [how, code] of ways) {
      const { page, inside } = await trapped(acts, undefined, undefined, context)
      page.on('console', (message) => message.text().startsWith('it runs') && ran.push(`${how}: ${message.text()}`))
      const types = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'].map((name) => `typeof ${name}`)
      assert.deepEqual(await inside.evaluate(`[${types.join()}]`), Array(3).fill('undefined'))
      await inside.evaluate(`void setTimeout(() => {
        const text = '<script src="speak.js"></' + 'script>'
        const frame = document.createElement('iframe')
        const host = document.createElement('div')
        ${code}
      })`)
      await page.waitForTimeout(soon)
      await page.close()
    }
    assert.deepEqual(ran, [])
  })

  it('33: shows a text in a frame of its own, which runs no script', async () => {
    const { inside } = await trapped(acts, undefined, undefined, await withoutAllowList(acts))
    await inside.evaluate(
      `void document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>A letter</p>' }))`,
    )
    await inside.frameLocator('iframe').getByText('A letter').waitFor()
  })
})

async function withoutAllowList(acts: Acts): Promise<BrowserContext> {
  const context = await reader(acts)
  await context.route('**/plugin-ui/**', async (route) => {
    const response = await route.fetch()
    const headers = Object.entries(response.headers()).filter(([name]) => name !== 'connection-allowlist')
    await route.fulfill({ response, headers: Object.fromEntries(headers) })
  })
  return context
}
