import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'

const locales = path.join(import.meta.dirname, '../../../core-plugins/console/web/locales')
/** Names that stand elsewhere: of the demo tenant, and of the device of somebody who acts as another. */
const names: ReadonlySet<string> = new Set(['Demo', 'Platform administrator'])
let english: readonly string[] | undefined

/** Texts of a page that are not in the reader's Chinese: English ones, and keys without a text. */
export async function untranslated(page: Page): Promise<readonly string[]> {
  english ??= await onlyEnglish()
  const foreign = english
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
    // A title may have the code of what is said in words.
    const titles = labels.map((each) => each.getAttribute('title') ?? '').filter((title) => /[^a-z._]/.test(title))
    return [...texts, ...titles, ...labels.flatMap((each) => ['aria-label', 'placeholder'].map((name) => each.getAttribute(name) ?? ''))]
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
    return (foreign.includes(text) && !names.has(text)) || (isKey.test(text) && areas.has(text.split('.')[0] ?? ''))
  })
}

/** What stands out of the screen, and in no box that scrolls. */
export function overflowOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return ''
    const isIn = (each) => { for (let up = each.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowX !== 'visible') return true; return false }
    const wide = [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > width + 1 && !isIn(each))
    return wide.slice(-2).map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.trim().slice(0, 40)).join(' | ') || String(document.documentElement.scrollWidth)
  })()`)
}

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
