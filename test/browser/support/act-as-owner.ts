import type { Page } from 'playwright-core'

/** On the page of a tenant: begins to act as its owner, and answers the tab that opens for it. */
export async function actAsOwner(page: Page, reason: string): Promise<Page> {
  await page.getByRole('button', { name: 'Act as the owner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Act as the owner of' })
  await dialog.getByLabel('Reason').fill(reason)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Begin' }).click(),
  ])
  return opened
}
