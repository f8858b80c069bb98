import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { pagesOf } from './support/pages.ts'
import { dataOf } from '../support/platform.ts'
import { admin, demoOwner, useActs, type Credentials } from './support/stage.ts'

const locales = path.join(import.meta.dirname, '../../core-plugins/console/web/locales')
/** What a phone shows at once; wider things scroll in a box of their own. */
const viewport = { width: 360, height: 740 }
const mostRows = 100
/** Names that stand elsewhere: of the demo tenant, and of the device of somebody who acts as another. */
const names: ReadonlySet<string> = new Set(['Demo', 'Platform administrator'])

describe('every page in Chinese on a phone', function () {
  // Every page there is, one after the other.
  this.timeout(390_000)
  const acts = useActs()
  let english: readonly string[] = []
  before(async () => (english = await onlyEnglish()))

  for (const scope of ['open', 'platform', 'tenant'] as const) {
    it(`51, 52, 54: (${scope}) nothing is untranslated, wider than the screen, or asks for more than 100 rows`, async () => {
      const options = { viewport, locale: 'zh-CN' }
      const context = scope === 'open' ? await acts.person(options) : await acts.signedIn(await reader(scope), options)
      const page = await acts.tab(context)
      const found: string[] = []
      let at = ''
      page.on('request', (request) => {
        const size = new URL(request.url()).searchParams.get('page_size')
        if (Number(size) > mostRows) found.push(`${at} asks for ${String(size)} rows of ${request.url()}`)
      })
      for (const { path: address } of await pagesOf(acts.stage, scope)) {
        at = address
        await page.goto(acts.at(address))
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        found.push(...(await untranslated(page)).map((text) => `${address} says “${text}”`))
        const over = await overflowOf(page)
        if (over !== '') found.push(`${address} is wider than the screen: ${over}`)
      }
      assert.deepEqual(found, [])
    })
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

  it('52: a list, the log, usage and a conversation are printed without what leads elsewhere', async () => {
    const staff = await acts.tab(await acts.signedIn())
    const owner = await acts.tab(await acts.signedIn(demoOwner(acts.stage)))
    const printed = [
      [staff, '/admin/tenants'],
      [staff, '/admin/audit-logs'],
      [staff, '/admin/ai/usage'],
      [owner, '/chat'],
    ] as const
    for (const [page, address] of printed) {
      await page.goto(acts.at(address))
      await page.waitForLoadState('networkidle')
      const navigation = page.getByRole('navigation', { name: 'Main navigation' })
      await navigation.waitFor()
      await page.emulateMedia({ media: 'print' })
      await navigation.waitFor({ state: 'hidden' })
      const clipped = await page.evaluate<string[]>(`[...document.querySelectorAll('main, main *')]
        .filter((each) => /auto|scroll|hidden/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 24 && each.clientHeight > 100)
        .map((each) => each.className)`)
      assert.deepEqual(clipped, [], address)
      await page.emulateMedia({ media: 'screen' })
    }
  })

  async function untranslated(page: Page): Promise<readonly string[]> {
    const texts = await page.evaluate<string[]>(`(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) {
        // Codes and names are what they are, in whatever language.
        if (walker.currentNode.parentElement.closest('.mono, code, [dir=auto], td, h1, option')) continue
        const text = walker.currentNode.textContent.trim()
        if (text !== '') texts.push(text)
      }
      const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title]')]
      return [...texts, ...labels.flatMap((each) => ['aria-label', 'placeholder', 'title'].map((name) => each.getAttribute(name) ?? ''))]
    })()`)
    const isKey = /^[a-z]+(\.[a-zA-Z0-9]+)+$/
    const areas = new Set([
      'shell',
      'admin',
      'tenant',
      'account',
      'public',
      'plugins',
      'access',
      'people',
      'ai',
      'user',
      'mcp',
    ])
    return [...new Set(texts)].filter((text) => {
      return (english.includes(text) && !names.has(text)) || (isKey.test(text) && areas.has(text.split('.')[0] ?? ''))
    })
  }

  /** What stands out of the screen, and in no box that scrolls. */
  function overflowOf(page: Page): Promise<string> {
    return page.evaluate<string>(`(() => {
      const width = document.documentElement.clientWidth
      if (document.documentElement.scrollWidth <= width) return ''
      const isIn = (each) => { for (let up = each.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowX !== 'visible') return true; return false }
      const wide = [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > width + 1 && !isIn(each))
      return wide.slice(-2).map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.trim().slice(0, 40)).join(' | ') || String(document.documentElement.scrollWidth)
    })()`)
  }
})

/** Texts of the console in English that are others in Chinese; those with something filled in, and names, are left out. */
async function onlyEnglish(): Promise<readonly string[]> {
  const texts: string[] = []
  for (const file of await readdir(path.join(locales, 'en'))) {
    const [en, zh] = await Promise.all(
      ['en', 'zh-CN'].map(
        async (locale) => JSON.parse(await readFile(path.join(locales, locale, file), 'utf8')) as object,
      ),
    )
    const chinese = new Map(leavesOf(zh ?? {}))
    for (const [key, text] of leavesOf(en ?? {})) {
      if (/^[A-Z][a-z]/.test(text) && !text.includes('{') && chinese.get(key) !== text) texts.push(text)
    }
  }
  return texts
}

function leavesOf(tree: object, above = ''): readonly (readonly [key: string, text: string])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[above + key, value] as const] : leavesOf(value as object, `${above}${key}.`),
  )
}
