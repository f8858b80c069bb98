import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { notify, pluginsWith } from '../core-plugins/realtime/world.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../support/identity.ts'
import { dataOf } from '../support/platform.ts'
import { startChromium } from './support/chromium.ts'

/** What a page tells of a reader of its own: the frames that came, and how it ended. */
interface Heard {
  readonly frames: readonly {
    readonly type: string
    readonly event?: string
    readonly data?: { readonly title?: string }
  }[]
  readonly end: number | 'error' | null
}

declare const heard: Record<string, { frames: Heard['frames'][number][]; end: Heard['end'] }>

describe('readers of events in a browser', () => {
  const resources = new AsyncDisposableStack()
  let platform: TestPlatform
  let acme: TestTenant
  let browser: Browser
  let page: Page
  before(async () => {
    platform = resources.use(await startTestPlatform({ plugins: pluginsWith() }))
    acme = await platform.createTenant('acme')
    browser = await startChromium()
    resources.defer(() => browser.close())
    page = await pageAt(`${platform.test.url}/api/public/health`)
  })
  after(() => resources.disposeAsync())

  async function pageAt(url: string): Promise<Page> {
    const opened = await browser.newPage()
    opened.setDefaultTimeout(120_000)
    await opened.goto(url)
    await opened.evaluate(() => void Object.assign(globalThis, { heard: {} }))
    return opened
  }

  const ticket = async (): Promise<string> =>
    dataOf(await acme.owner.post('/auth/ws-ticket'))['ticket'] as unknown as string
  const tell = (title: string): Promise<string> => notify(platform.test, acme.id, acme.ownerId, title)

  /** Opens the browser's own reader in a page, under a name. */
  async function open(at: Page, name: string, kind: 'socket' | 'stream', path: string): Promise<void> {
    const url = platform.test.url + path
    await at.evaluate(
      ([name, kind, url]) => {
        const own = (heard[name] = { frames: [] as Heard['frames'][number][], end: null as Heard['end'] })
        const take = ({ data }: { readonly data: unknown }): void =>
          void own.frames.push(JSON.parse(String(data)) as Heard['frames'][number])
        if (kind === 'socket') {
          const socket = new WebSocket(url.replace(/^http/, 'ws'))
          socket.onmessage = take
          socket.onclose = ({ code }) => (own.end = code)
        } else {
          const stream = new EventSource(url)
          stream.onmessage = take
          stream.onerror = () => {
            own.end = 'error'
            stream.close()
          }
        }
      },
      [name, kind, url] as const,
    )
  }

  async function waitFor(at: Page, name: string, test: (heard: Heard) => boolean): Promise<Heard> {
    const what = `(${test.toString()})(heard[${JSON.stringify(name)}])`
    await at.waitForFunction(what)
    return at.evaluate((name) => heard[name] as Heard, name)
  }
  const titles = ({ frames }: Heard): unknown => frames.flatMap(({ data }) => data?.title ?? [])

  it('a WebSocket and an EventSource enter with tickets and hear the same', async () => {
    await open(page, 'socket', 'socket', `/ws/user?ticket=${await ticket()}`)
    await open(page, 'stream', 'stream', `/events/user?ticket=${await ticket()}`)
    for (const name of ['socket', 'stream']) await waitFor(page, name, ({ frames }) => frames[0]?.type === 'ready')
    await tell('one')
    const both = await Promise.all(
      ['socket', 'stream'].map((name) =>
        waitFor(page, name, ({ frames }) => frames.some(({ event }) => event === 'notification.created')),
      ),
    )
    const [one, other] = both.map(({ frames }) => frames.filter(({ event }) => event === 'notification.created'))
    assert.deepEqual(one, other)
    assert.deepEqual(both.map(titles), [['one'], ['one']])
  })

  it('they come back with the last event that they had, and a ticket opens nothing twice', async () => {
    const used = await ticket()
    await open(page, 'first', 'stream', `/events/user?ticket=${used}`)
    const { frames } = await waitFor(page, 'first', ({ frames }) => frames.length > 0)
    const last = String((frames[0] as unknown as { last_id: string }).last_id)
    await tell('two')
    for (const kind of ['socket', 'stream'] as const) {
      const path = kind === 'socket' ? '/ws/user' : '/events/user'
      await open(page, `back ${kind}`, kind, `${path}?ticket=${await ticket()}&last_id=${last}`)
      const back = await waitFor(page, `back ${kind}`, ({ frames }) => frames.some(({ type }) => type === 'resumed'))
      assert.deepEqual(titles(back), ['two'])
      await open(page, `again ${kind}`, kind, `${path}?ticket=${used}`)
      const again = await waitFor(page, `again ${kind}`, ({ end }) => end !== null)
      assert.deepEqual([again.end, again.frames], [kind === 'socket' ? 4401 : 'error', []])
    }
  })

  it('a page of another site gets neither', async () => {
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    try {
      const evil = await pageAt(`http://127.0.0.1:${String((site.address() as AddressInfo).port)}/`)
      await open(evil, 'socket', 'socket', `/ws/user?ticket=${await ticket()}`)
      await open(evil, 'stream', 'stream', `/events/user?ticket=${await ticket()}`)
      const ends = await Promise.all(['socket', 'stream'].map((name) => waitFor(evil, name, ({ end }) => end !== null)))
      assert.deepEqual(
        ends.map(({ frames, end }) => [frames, end]),
        [
          [[], 1006],
          [[], 'error'],
        ],
      )
      await evil.close()
    } finally {
      site.closeAllConnections()
      site.close()
    }
  })
})
