import type { Browser, FrameLocator, Locator, Page, WebSocketRoute } from 'playwright-core'
import type { OpenedPage, PageChange, PageSaid, Release, TestPageContext, TestPluginWithoutPages } from '#sandbox'
import { findChromium } from './find-chromium.ts'
import { PageServer } from './page-server.ts'
import { Reader } from './reader.ts'

const size = { width: 1280, height: 800 }
/** The console takes a page that is not ready 10 s after it was loaded for one that does not answer; before that it loads itself. */
const readyMilliseconds = 20_000
const noBrowser =
  'openPage needs Chromium: install it (apt-get install chromium), or name it in the variable CHROMIUM. Where tests run without one, skip them unless plugin.hasBrowser.'

/** Opens pages of one plugin, with a browser of its own that is started for the first of them and ends with it. */
export class PageOpener implements AsyncDisposable {
  readonly #plugin: TestPluginWithoutPages
  readonly #release: Release
  readonly #shown = new Set<AsyncDisposable>()
  #browser: Promise<Browser> | undefined

  constructor(plugin: TestPluginWithoutPages, release: Release) {
    this.#plugin = plugin
    this.#release = release
  }

  async open(slot: string, context: TestPageContext = {}): Promise<OpenedPage> {
    const { manifest, name } = this.#release
    const found = manifest.slots?.find(({ id }) => id === slot)
    if (!found) {
      const known = manifest.slots?.map(({ id }) => id).join(', ')
      throw new Error(
        `The manifest has no slot ${slot}: it has ${known === undefined || known === '' ? 'none' : known}.`,
      )
    }
    await using resources = new AsyncDisposableStack()
    const reader = new Reader(manifest, found.area ?? 'tenant', context)
    const server = resources.use(new PageServer({ plugin: this.#plugin, release: this.#release, reader }))
    const url = await server.listen()
    const browser = await (this.#browser ??= launch())
    const { locale, container: viewport = size } = { locale: 'en', ...context }
    const own = await browser.newContext({ viewport, locale })
    resources.defer(() => own.close())
    const hint = JSON.stringify({
      scope: reader.area === 'admin' ? 'platform' : 'tenant',
      locale,
      theme: context.theme,
    })
    // The page runs it as well, and has no storage.
    await own.addInitScript(`self.origin === 'null' || localStorage.setItem('stoa.hint', ${JSON.stringify(hint)})`)
    const page = await own.newPage()
    const failed: string[] = []
    page.on('pageerror', (error) => failed.push(String(error)))
    page.on('response', (answer) => {
      if (answer.status() >= 400 && new URL(answer.url()).pathname.startsWith('/console/'))
        failed.push(`${answer.status()} ${answer.url()}`)
    })
    const line = new EventLine()
    await page.routeWebSocket(/\/ws\//, (socket) => line.take(socket))
    const { route = '/' } = context
    const query = route === '/' ? '' : `?${new URLSearchParams({ r: route }).toString()}`
    await page.goto(`${url}/console/plugins/${name}/${slot}${query}`)
    await untilReady(page, slot, { said: server.said, failed })
    // The console takes a page for a thief of keys that has the focus and not the pointer.
    await page.locator('iframe').hover()
    const shown = new ShownPage({ page, server, reader, line, resources: resources.move() })
    this.#shown.add(shown)
    return shown
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Those that a test left open as well: their servers would keep its process alive.
    for (const page of this.#shown) await page[Symbol.asyncDispose]()
    await (await this.#browser?.catch(() => undefined))?.close()
  }
}

/** What the console hears of the platform. */
class EventLine {
  readonly #opened = Promise.withResolvers<void>()
  #socket: WebSocketRoute | undefined
  #last = 0

  take(socket: WebSocketRoute): void {
    socket.send(JSON.stringify({ type: 'ready', last_id: '0', heartbeat_seconds: 600, expires_at: null }))
    socket.onMessage(() => socket.send('{"type":"pong"}'))
    if (!socket.url().includes('/ws/user')) return
    this.#socket = socket
    this.#opened.resolve()
  }

  async tell(event: string, data: unknown): Promise<void> {
    this.#last += 1
    await this.#opened.promise
    this.#socket?.send(JSON.stringify({ type: 'event', id: String(this.#last), event, data }))
  }
}

/** What an opened page stands on. */
interface ShownParts {
  readonly page: Page
  readonly server: PageServer
  readonly reader: Reader
  readonly line: EventLine
  readonly resources: AsyncDisposableStack
}

class ShownPage implements OpenedPage {
  readonly #parts: ShownParts
  readonly #frame: FrameLocator

  constructor(parts: ShownParts) {
    this.#parts = parts
    this.#frame = parts.page.frameLocator('iframe')
  }

  get console(): Page {
    return this.#parts.page
  }
  get asked() {
    return this.#parts.server.asked
  }
  get said() {
    return this.#parts.server.said
  }

  locator(selector: string): Locator {
    return this.#frame.locator(selector)
  }
  getByRole: OpenedPage['getByRole'] = (role, options) => this.#frame.getByRole(role, options)
  getByLabel: OpenedPage['getByLabel'] = (text, options) => this.#frame.getByLabel(text, options)
  getByText: OpenedPage['getByText'] = (text, options) => this.#frame.getByText(text, options)
  getByPlaceholder: OpenedPage['getByPlaceholder'] = (text, options) => this.#frame.getByPlaceholder(text, options)

  route(): string {
    return new URL(this.#parts.page.url()).searchParams.get('r') ?? '/'
  }

  async tell(type: string, payload: unknown): Promise<void> {
    await this.#parts.line.tell(type, payload)
  }

  async change(context: PageChange): Promise<void> {
    const { page, reader, line } = this.#parts
    reader.change(context)
    if (context.container) await page.setViewportSize(context.container)
    const isRead = page.waitForResponse(/\/preferences\b/)
    // What the console reads anew when an administrator changed what somebody may, or has chosen.
    await line.tell('permission.changed', {})
    await isRead
  }

  async back(): Promise<void> {
    await this.#parts.page.goBack()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.resources.disposeAsync()
  }
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(noBrowser)
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    throw new Error('openPage needs the package playwright-core: npm install --save-dev playwright-core', { cause })
  })
  // The pages are the author's own, and as root, as in containers, Chromium starts in no other way.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/** What was said while a page was opened, and what of the console around it failed. */
interface Opening {
  readonly said: readonly PageSaid[]
  readonly failed: readonly string[]
}

async function untilReady(page: Page, slot: string, { said, failed }: Opening): Promise<void> {
  const ready = page.locator('.holder:not(.waiting) > iframe')
  const silent = page.locator('.box > .over button')
  try {
    await ready.or(silent).first().waitFor({ timeout: readyMilliseconds })
  } catch (cause) {
    if (failed.length > 0)
      throw new Error(['The console around the page did not start:', ...failed].join('\n'), { cause })
    throw new Error(notReady(slot, said), { cause })
  }
  if (!(await ready.isVisible())) throw new Error(notReady(slot, said))
}

function notReady(slot: string, said: readonly PageSaid[]): string {
  const faults = said.filter(({ level }) => level === 'error')
  if (faults.length === 0) return `The page of ${slot} did not call ready() within 10 s of being loaded.`
  return [`The page of ${slot} is not ready:`, ...faults.flatMap(({ message, places }) => [message, ...places])].join(
    '\n',
  )
}
