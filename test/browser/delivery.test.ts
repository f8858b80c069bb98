import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { axeFaults, darkFaults } from './support/axe.ts'
import { assetBytes } from './support/asset-bytes.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { overflowOf, untranslated } from './support/on-a-phone.ts'
import { pagesOf, type PageOf } from './support/pages.ts'
import { admin, demoOwner, useActs, type Credentials } from './support/stage.ts'
import { watchTraffic, type Traffic } from './support/traffic.ts'

const headers = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
  'x-robots-tag',
]

/** Bytes over the wire: of all styles, and of what another page has beside the first of its area. */
const most = { styles: 40_000, furtherPage: 40_000 }
/** Pages are opened on the narrowest phone, which a desk at 400 % is as well; wider things scroll in a box of their own. Axe judges them on a desk. */
const phone = { width: 320, height: 740 }
const desk = { width: 1280, height: 720 }
/** What a page does not tell by then it does not tell. */
const soon = { timeout: 10_000 }
const isFirst = ({ path }: PageOf) => ['/login', '/admin', '/tenant'].includes(path)
/** Nobody opens pages as fast as these tests, which use the tickets of a minute up; that a lost connection is told is the matter of point 46. */
const isPace = (failed: string) => failed === '429 POST /auth/ws-ticket'
/** That there is none is an answer: the page is that of a host without a tenant, or says that nothing is published. */
const isAnswer = (failed: string) => failed.startsWith('404 GET /api/public/tenant/')

describe('what a browser gets', () => {
  // Every page there is, one after the other.
  const acts = useActs()

  for (const scope of ['open', 'platform', 'tenant'] as const) {
    it(`9, 19, 49, 51 to 54: every page (${scope}) shows itself at its address on a phone in Chinese, is light, and axe finds nothing in either theme`, async () => {
      const { stage } = acts
      const options = { viewport: phone, locale: 'zh-CN' }
      const context = scope === 'open' ? await acts.person(options) : await acts.signedIn(await reader(scope), options)
      const pages = await pagesOf(stage, scope)
      assert.ok(pages.length >= 7, `${pages.length} pages`)
      await walk(context, pages)
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
    const answers: { readonly url: () => string; readonly status: number; readonly headers: Record<string, string> }[] =
      []
    const network = await context.newCDPSession(page)
    const urls = new Map<string, string>()
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
    network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers: given }) => {
      // For what it was asked may be told after how it was answered.
      const url = () => urls.get(requestId) ?? ''
      answers.push({ url, status: statusCode, headers: given })
    })
    await network.send('Network.enable')
    const visit = async () => {
      answers.length = 0
      await page.goto(acts.at('/login'))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      // Also what comes behind the form: left to the second visit, it would be news there.
      await page.waitForLoadState('networkidle')
      // How it came is told apart from that it came, and may be told later.
      const came = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize > 0).map(({ name }) => name)`,
      )
      const due = [acts.at('/login'), ...came.filter((name) => name.includes('/console/'))]
      await until(() => due.every((name) => answers.some(({ url }) => url() === name)))
      return answers
        .map((answer) => ({ ...answer, url: answer.url() }))
        .filter(({ url }) => url.includes('/console/') && !url.endsWith('build.json'))
    }
    const first = await visit()
    const document = first.find(({ url }) => url === acts.at('/login'))
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
    const takeTraffic = watchTraffic(page)
    const found: string[] = []
    const styles = new Set<string>()
    let first: ReadonlySet<string> | undefined
    for (const { path } of [...pages].sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))) {
      await page.setViewportSize(phone)
      await page.goto(acts.at(path))
      await isShown(page)
      const over = await overflowOf(page)
      const faults = [
        ...(over === '' ? [] : [`is wider than the screen: ${over}`]),
        ...(await untranslated(page)).map((text) => `says “${text}”`),
        ...(await trafficFaults(path, takeTraffic())),
      ]
      await page.setViewportSize(desk)
      faults.push(...(await axeFaults(page)), ...(await darkFaults(page)).map((fault) => `dark, ${fault}`))
      found.push(...faults.map((fault) => `${path} ${fault}`))
    }
    const style = await assetBytes(styles)
    if (style > most.styles) found.push(`styles have ${style} bytes`)
    assert.deepEqual(found, [])

    async function trafficFaults(path: string, traffic: Traffic): Promise<readonly string[]> {
      for (const name of traffic.styles) styles.add(name)
      first ??= traffic.scripts
      const more = await assetBytes([...traffic.scripts].filter((name) => !first?.has(name)))
      const failed = traffic.failed.filter((each) => !isAnswer(each) && !isPace(each))
      if (failed.length > 0)
        await page
          .getByRole('alert')
          .first()
          .waitFor(soon)
          .catch(() => undefined)
      const isTold = failed.length === 0 || (await page.getByRole('alert').count()) > 0
      return [
        ...traffic.large.map((asked) => `asks for more than 100 rows: ${asked}`),
        ...(isTold ? [] : failed.map((each) => `does not tell that it did not get ${each}`)),
        // Each area has its first page, and so has whoever chats.
        ...(more > most.furtherPage && path !== '/chat' ? [`has ${more} bytes more scripts than the first page`] : []),
      ]
    }
  }

  async function isShown(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('加载中').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  }

  /** Somebody who may see everything, and whose language nobody else changes. */
  async function reader(scope: 'platform' | 'tenant'): Promise<Credentials> {
    const { stage } = acts
    const account = { email: `phone@${scope}.test`, nickname: '读者', password: admin.password }
    const by = await (scope === 'platform' ? stage.staff() : stage.owner())
    const [area, role] = scope === 'platform' ? ['admin', 'super_admin'] : ['tenant', 'tenant_owner']
    dataOf(await by.post(`/${area}/users`, { ...account, roles: [role] }), 201)
    const who = { account: account.email, password: account.password }
    return scope === 'platform' ? who : { ...who, tenant_code: 'demo' }
  }
})
