import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds on a page, as `rule: element`. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${tags} }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`,
  )
}
