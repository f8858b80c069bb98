import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { axeFaults } from './support/axe.ts'
import { pagesOf, type PageOf } from './support/pages.ts'
import { demoOwner, useActs } from './support/stage.ts'

const headers = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
  'x-robots-tag',
]

describe('what a browser gets', function () {
  // Every page there is, one after the other.
  this.timeout(390_000)
  const acts = useActs()

  for (const scope of ['open', 'platform', 'tenant'] as const) {
    it(`9, 19: every page (${scope}) shows itself at its address, breaks no policy, and axe finds nothing`, async () => {
      const { stage } = acts
      const who = scope === 'tenant' ? demoOwner(stage) : undefined
      const pages = await pagesOf(stage, scope)
      assert.ok(pages.length >= 7, `${pages.length} pages`)
      await walk(scope === 'open' ? await acts.person() : await acts.signedIn(who), pages)
    })

    if (scope === 'open') continue
    it(`20: every entry of the menu (${scope}) leads to a page, and every page that has an entry is reached by one`, async () => {
      const { stage } = acts
      const page = await acts.tab(await acts.signedIn(scope === 'tenant' ? demoOwner(stage) : undefined), '/')
      const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
      await links.first().waitFor()
      const led = (await links.all()).map(async (link) => (await link.getAttribute('href'))?.replace('/console', ''))
      const found = new Set(await Promise.all(led))
      const pages = await pagesOf(stage, scope)
      // Those of records are reached from their lists, those that need no right from the header.
      const listed = pages.filter(
        ({ route, permission, isUnlisted }) => permission !== undefined && !isUnlisted && !/\/:\w+(\/|$)/.test(route),
      )
      assert.deepEqual(
        listed.map(({ path }) => path).filter((path) => !found.has(path)),
        [],
      )
      assert.ok(found.size >= 6, [...found].join(' '))
    })
  }

  it('10: files are kept for good and come compressed, and the page comes with 304 on the second visit', async () => {
    const context = await acts.person()
    const page = await acts.tab(context)
    const answers: { readonly url: string; readonly status: number; readonly headers: Record<string, string> }[] = []
    const network = await context.newCDPSession(page)
    const urls = new Map<string, string>()
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
    network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers: given }) => {
      answers.push({ url: urls.get(requestId) ?? '', status: statusCode, headers: given })
    })
    await network.send('Network.enable')
    const visit = async () => {
      answers.length = 0
      await page.goto(acts.at('/login'))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      return answers.filter(({ url }) => url.includes('/console/') && !url.endsWith('build.json'))
    }
    const first = await visit()
    const [document] = first
    const named = new Set(Object.keys(document?.headers ?? {}).map((name) => name.toLowerCase()))
    assert.deepEqual([document?.status, headers.filter((name) => !named.has(name))], [200, []])
    const assets = first.filter(({ url }) => /assets\/.*\.(js|css)$/.test(url))
    const isRight = ({ headers: given }: (typeof assets)[number]) => {
      const of = (name: string) => given[name] ?? given[name.toLowerCase()]
      return of('Cache-Control') === 'public, max-age=31536000, immutable' && of('Content-Encoding') !== undefined
    }
    assert.ok(assets.length > 3)
    assert.deepEqual(
      assets.filter((asset) => !isRight(asset)).map(({ url }) => url),
      [],
    )
    const second = await visit()
    assert.deepEqual(
      second.map(({ url, status }) => [new URL(url).pathname, status]),
      [['/console/login', 304]],
    )
    const none = await page.request.get(acts.at('/assets/none.js'))
    assert.deepEqual([none.status(), none.headers()['content-type']?.includes('html')], [404, false])
  })

  async function walk(context: BrowserContext, pages: readonly PageOf[]): Promise<void> {
    const page = await acts.tab(context)
    const found: string[] = []
    for (const { path } of pages) {
      await page.goto(acts.at(path))
      await isShown(page)
      found.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`))
    }
    assert.deepEqual(found, [])
  }

  async function isShown(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
  }
})
