import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** As it is minified a page reads it in two thirds of the time. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const all = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const contrast = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe finds on a page, as `rule: element`. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(source)
  return faultsOf(page, all)
}

/** What cannot be read once a page that `axeFaults` has seen is dark; the page follows the system, and stays as it is otherwise. */
export async function darkFaults(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  const faults = await faultsOf(page, contrast)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

async function faultsOf(page: Page, runOnly: typeof all): Promise<readonly string[]> {
  // Colours that are on their way are neither the one nor the other.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished, effect }) => effect?.getComputedTiming().endTime < 5_000 && finished))',
  )
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`,
  )
}
