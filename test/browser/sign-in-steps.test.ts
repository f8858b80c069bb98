import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { captchaProviders } from '../../core-plugins/captcha/contract.ts'
import { dataOf } from '../support/platform.ts'
import { enrolFactor } from '../support/second-factor.ts'
import { until } from '../support/until.ts'
import { useActs } from './support/stage.ts'
import { accountOf, signInByHand } from './support/steps.ts'

const password = 'a long enough passphrase'
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

describe('what a sign-in asks for', () => {
  const acts = useActs()

  it('16: what only a new sign-in may do asks for the password over the page, and is done then; it may be left', async () => {
    const by = await acts.stage.staff()
    const account = 'lately@stoa.test'
    const made = await by.post('/admin/users', { email: account, password, roles: ['platform_admin'] })
    const id = Number(dataOf(made, 201)['id'])
    const context = await acts.signedIn({ account, password })
    const { knex } = acts.stage.host.kernel.database
    const long = { created_at: new Date(Date.now() - 16 * 60_000) }
    await knex('auth_sessions').update(long).where({ user_id: id }).queryContext({ tenant: 'all' })
    const page = await acts.tab(context, '/profile/security')
    const devices = page.getByLabel('Devices at once')
    await devices.fill('7')
    const save = page.locator('form').filter({ has: devices }).getByRole('button', { name: 'Save' })
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('you signed in more than 15 minutes ago').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await devices.inputValue(), '7')
    await save.click()
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    await until(async () => (await devices.inputValue()) === '7')
  })

  it('16: a second factor, a forced new password, a captcha and a locked account are met where they come up', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.person())
    const make = async (account: string) =>
      Number(dataOf(await by.post('/admin/users', { email: account, password, roles: ['platform_admin'] }), 201)['id'])

    await make('factor@stoa.test')
    const tokens = dataOf(await by.post('/admin/auth/login/json', { account: 'factor@stoa.test', password }))
    const factor = await enrolFactor(by.as(tokens['access_token']), 'admin')
    await page.goto(acts.at('/login'))
    await signInByHand(page, 'factor@stoa.test', password)
    await page.getByLabel('Code').fill(factor.code(0))
    await page.getByRole('button', { name: 'Continue' }).click()
    await signOut(page)

    const forced = await make('forced@stoa.test')
    const reset = dataOf(await by.post(`/admin/users/${forced}/reset-password`, { notify: false }))
    const given = reset['password'] as unknown as string
    await page.goto(acts.at('/login?next=/admin/tenants'))
    await signInByHand(page, 'forced@stoa.test', given)
    await page.getByText('Choose a new password to go on.').waitFor()
    // Also in a tab that was loaded anew, which only the server's refusal tells.
    await page.reload()
    await page.getByText('Choose a new password to go on.').waitFor()
    await page.getByLabel('Present password').fill(given)
    await page.getByLabel('New password').fill('a new and long enough passphrase')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('link', { name: 'Demo' }).waitFor()
    await signOut(page)

    await make('locked@stoa.test')
    using provider = await offerPicture()
    assert.ok(provider)
    await page.goto(acts.at('/login'))
    await refusedOnce(page, () => signInByHand(page, 'locked@stoa.test', 'a wrong password'))
    for (let time = 1; time < 3; time += 1) await tryAgain(page)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    // Asked for in place, with what was typed kept; a wrong answer brings another picture.
    const answer = page.getByLabel('What the picture shows')
    await answer.fill('wrong')
    await tryAgain(page)
    await page.getByRole('alert').waitFor()
    assert.deepEqual([await page.getByLabel('Password').inputValue(), await answer.inputValue()], [password, ''])
    await answer.fill('right')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signOut(page)

    dataOf(await by.put('/admin/configs/groups/platform_captcha', { login_captcha_enabled: false }))
    await page.goto(acts.at('/login'))
    await refusedOnce(page, () => signInByHand(page, 'locked@stoa.test', 'a wrong password'))
    for (let time = 1; time < 6; time += 1) await tryAgain(page)
    await page.getByText(/Try again in \d+ s/).waitFor()
    dataOf(
      await by.put('/admin/configs/groups/platform_captcha', { reset: ['login_captcha_enabled', 'captcha_provider'] }),
    )
  })

  async function tryAgain(page: Page): Promise<void> {
    await refusedOnce(page, () => page.getByRole('button', { name: 'Sign in', exact: true }).click())
  }
  /** Sends the form of the sign-in, and waits until it can be sent again: an answer that is awaited is that of this time. */
  async function refusedOnce(page: Page, send: () => Promise<void>): Promise<void> {
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/login/json'))
    await send()
    await refused
    await page.locator('button[type="submit"]:not([aria-busy])').waitFor()
  }
  async function signOut(page: Page): Promise<void> {
    await (await accountOf(page)).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
  /** A captcha that a test can read, offered as a plugin's would be. */
  async function offerPicture(): Promise<Disposable> {
    const provider = acts.stage.host.kernel.services.get(captchaProviders).register({
      ...{ code: 'pixel', plugin: null, oneTry: true },
      isOffered: () => Promise.resolve(true),
      challenge: () => Promise.resolve({ challenge: { type: 'image', image: pixel }, secret: 'right' }),
      verify: ({ secret, solution }) => Promise.resolve({ valid: secret === solution }),
    })
    const by = await acts.stage.staff()
    dataOf(await by.put('/admin/configs/groups/platform_captcha', { captcha_provider: 'pixel' }))
    return provider
  }
})
