import type { Locator, Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/** What all settings of the plugin are set to, as it is told. */
export const set = {
  ...{ line: 'hello', words: 'two\nlines', amount: 7, switch: true, one: 'blue', many: ['red', 'blue'] },
  ...{ shape: { a: [1] }, page: '<p>Kept</p>', secret: '********', tone: '#102030' },
  ...{ picture: 'https://pictures.test/a.png', paper: 'https://papers.test/a.pdf', marks: ['x', 'y'] },
}

interface FilePayload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** The editor has the focus, and has put its cursor where it was: it does so 20 ms after that, and a later timer comes behind. */
export async function isEntered(page: Page): Promise<void> {
  await until(() => page.evaluate<boolean>(`Boolean(document.activeElement?.closest('[contenteditable=true]'))`))
  await page.evaluate<unknown>('new Promise((resolve) => setTimeout(resolve, 50))')
}

/** The cursor is behind the text, and the editor has heard so: the browser tells it in a task of its own. */
export async function toEnd(text: Locator): Promise<void> {
  const page = text.page()
  await text.focus()
  await isEntered(page)
  await until(async () => {
    await text.press('Control+End')
    await isEntered(page)
    return page.evaluate<boolean>('getSelection().focusOffset > 0')
  })
}

/** Chooses a file for a setting. */
export async function choose(page: Page, label: string, file: FilePayload): Promise<void> {
  const picker = page.locator('input[type="file"]').and(page.getByLabel(`Choose a file for ${label}`))
  await picker.setInputFiles(file)
}

/** The field of a setting. */
export function field(page: Page, label: string): Locator {
  return page
    .getByRole('main')
    .locator('input:not([type="color"]), textarea, select')
    .and(page.getByLabel(label, { exact: true }))
}

/** Sets all of them to `set`. */
export async function fillAll(page: Page): Promise<void> {
  const texts = { Line: set.line, Words: set.words, Amount: '7', Page: set.page, Secret: 'hunter22', Tone: set.tone }
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
  await field(page, 'Picture').fill(set.picture)
  await field(page, 'Paper').fill(set.paper)
  await page.getByRole('switch', { name: 'Switch' }).check()
  await field(page, 'One').selectOption('blue')
  for (const each of set.many) await page.getByRole('checkbox', { name: each }).check()
  await field(page, 'Shape').fill('{"a":[1]}')
  await field(page, 'Marks').fill('x\ny, x')
  await field(page, 'Marks').blur()
}

/** Saves them, which the server takes. */
export async function save(page: Page): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await answered
  await page.getByText('0 changes').waitFor()
}
