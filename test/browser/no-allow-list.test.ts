import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { BrowserContext } from 'playwright-core'
import { until } from '../support/until.ts'
import { giveHostile, reader, takeHostile, trapped } from './support/hostile-page.ts'
import { useActs, type Acts } from './support/stage.ts'

/** Scripts that run in a frame that a page makes within itself, where all globals are new. */
const running: readonly (readonly [string, string])[] = [
  ['of a file', `<script src="speak.js"></script>`],
  ['of a module', `<script type="module" src="speak.js"></script>`],
  ['of two files', `<script src="speak.js"></script><script src="tell.js"></script>`],
]
/** Those that end before they have begun. */
const ending: readonly (readonly [string, string])[] = [
  ['with a function of that name', `<script src="function.js"></script>`],
  ['of a module with such a function', `<script type="module" src="function.js"></script>`],
  ['of a module that is its window', `<script type="module" src="module.js"></script>`],
  ['of a module with such a variable', `<script type="module" src="variable.js"></script>`],
  ['of a module that is given one', `<script type="module" src="given.js"></script>`],
]

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const chromium = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

describe('a page in a browser that does not know how to keep it from others', () => {
  const acts = useActs()

  before(() => giveHostile(acts))
  after(() => takeHostile(acts))

  it('33: has nothing to speak with, and neither has a script in a frame of its own', async () => {
    const context = await withoutAllowList(acts)
    const { page, inside } = await trapped(acts, undefined, undefined, context)
    const types = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'].map((name) => `typeof ${name}`)
    assert.deepEqual(await inside.evaluate(`[${types.join()}]`), Array(3).fill('undefined'))
    const said: string[] = []
    page.on('console', (message) => message.text().startsWith('it runs') && said.push(message.text()))
    const show = async (text: string) =>
      inside.evaluate(
        `void document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: ${JSON.stringify(text)} }))`,
      )
    for (const [how, text] of running) {
      await show(text)
      await until(() => said.length > 0)
      assert.deepEqual(said.splice(0), ['it runs and has undefined,undefined'], how)
    }
    let errors = 0
    page.on('pageerror', () => (errors += 1))
    for (const [at, [how, text]] of ending.entries()) {
      await show(text)
      await until(() => errors > at || said.length > 0)
      assert.deepEqual(said, [], how)
    }
  })

  it('33: has nothing to speak with by an inline script either, whose text with nothing before it does not run', async () => {
    const { page, inside } = await trapped(acts, undefined, undefined, await withoutAllowList(acts))
    const said: string[] = []
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('it runs')) said.push(message.text())
      if (/Content Security Policy/.test(message.text()) && /script-src/.test(message.text()))
        refused.push(message.text())
    })
    await inside.evaluate(`void setTimeout(() => { location.href = 'inline.html' })`)
    await until(() => said.length >= 2 && refused.length >= 1)
    assert.deepEqual(said, Array(2).fill('it runs and has undefined,undefined'))
    assert.equal(refused.length, 1)
  })

  it('33: speaks to nobody where the header is known, also from a frame of its own, whose scripts are as they were signed', async () => {
    const heard: string[] = []
    const udp = createSocket('udp4', () => heard.push('packet')).bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const ask = async (context: BrowserContext): Promise<void> => {
      const { inside } = await trapped(acts, undefined, undefined, context)
      await inside.evaluate(
        `void document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>x</p>' }))`,
      )
      await until(() => inside.childFrames().length > 0)
      await inside.childFrames()[0]?.evaluate(`(async () => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] })
        peer.createDataChannel('x')
        await peer.setLocalDescription(await peer.createOffer())
      })()`)
    }
    try {
      // Chromium ends the process of a frame that tries.
      await ask(await reader(acts)).catch(() => undefined)
      assert.deepEqual(heard, [])
      // It would have been heard by now: this one is.
      await ask(await withoutAllowList(acts, chromium))
      await until(() => heard.length > 0)
    } finally {
      udp.close()
    }
  })
})

/** As if the browser did not know the header. */
async function withoutAllowList(acts: Acts, userAgent = firefox): Promise<BrowserContext> {
  const context = await reader(acts, { userAgent })
  await context.route('**/plugin-ui/**', async (route) => {
    const response = await route.fetch()
    const headers = Object.entries(response.headers()).filter(([name]) => name !== 'connection-allowlist')
    await route.fulfill({ response, headers: Object.fromEntries(headers) })
  })
  return context
}
