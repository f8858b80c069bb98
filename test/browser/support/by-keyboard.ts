import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** As many stops as a page may have before what is looked for. */
const most = 150

/** Goes on with Tab until something has the focus, as somebody without a mouse would; each stop on the way shows its focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor()
  for (let stop = 0; stop < most; stop += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not lead to ${target.toString()}`)
}

/** Goes there with Tab and presses it. */
export async function pressByKey(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Whether it has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target
    .first()
    .evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))
    .catch(() => false)
}
