import type { Locator, Page } from 'playwright-core'

/** The account's button in the header, once the page is there: somebody is signed in. */
export async function accountOf(page: Page): Promise<Locator> {
  const button = page.getByRole('button', { name: /^Account of/ })
  await button.waitFor()
  return button
}

/** Fills in the form of a sign-in, on its page or in a dialogue, and sends it. */
export async function signInByHand(page: Page, account: string, password: string): Promise<void> {
  await page.getByLabel('E-mail or account').fill(account)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
