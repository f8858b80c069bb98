import type { Locator } from 'playwright-core'

/** How wide the picture of an element is, as the browser has read it. */
export function naturalWidthOf(shown: Locator): Promise<number> {
  return shown.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth)
}
