import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { captchaProviders } from '../../core-plugins/captcha/contract.ts'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { enrolFactor } from '../support/second-factor.ts'
import { until } from '../support/until.ts'
import { admin, useActs } from './support/stage.ts'
import { accountOf, signInByHand } from './support/steps.ts'

const password = 'a long enough passphrase'
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

interface NumberItem {
  readonly key: string
  readonly name: string
  readonly value: number
  readonly rules: { readonly min?: number; readonly max?: number }
}

describe('what is typed', function () {
  this.timeout(180_000)
  const acts = useActs()

  it('14: twenty changed fields outlive the end of the session, a cut network and a reload, and are saved without being typed again', async () => {
    const by = await acts.stage.staff()
    const group = '/admin/configs/groups/platform_plugin'
    const items = dataOf(await by.get(group))['items'] as unknown as readonly NumberItem[]
    const wanted = new Map(items.map(({ name, value, rules }) => [name, value === rules.max ? value - 1 : value + 1]))
    assert.ok(wanted.size >= 20)
    const context = await acts.signedIn()
    const page = await acts.tab(context, '/admin/configs/platform_plugin')
    page.on('dialog', (dialog) => void dialog.accept())
    const fieldsOf = async () =>
      new Map(
        await Promise.all(
          [...wanted.keys()].map(async (name) => [name, Number(await field(page, name).inputValue())] as const),
        ),
      )
    for (const [name, value] of wanted) await field(page, name).fill(String(value))

    await page.getByText(`${wanted.size} changes`).waitFor()
    await until(() =>
      page.evaluate<boolean>('Object.keys(sessionStorage).some((key) => key.startsWith("stoa.draft."))'),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(`${wanted.size} changes`).waitFor()
    assert.deepEqual(await fieldsOf(), wanted)

    await context.setOffline(true)
    await page.getByText('Offline. What you typed is safe.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    await context.setOffline(false)

    // The session ends while the form is on its way, so that nothing else of the page can meet its end first.
    await page.route(`**${group}`, async function endFirst(route) {
      if (route.request().method() !== 'PUT') return route.continue()
      await page.unroute(`**${group}`, endFirst)
      await endSessions(by)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('You were signed out in another place.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password').fill(admin.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.deepEqual(await fieldsOf(), wanted)
    dataOf(await by.put(group, Object.fromEntries(items.map(({ key, value }) => [key, value]))))
  })

  it('14: what is typed while a form is on its way stays, and is what is saved next', async () => {
    const by = await acts.stage.staff()
    const group = '/admin/configs/groups/platform_basic'
    const before = dataOf(await by.get(group))['items'] as unknown as readonly { key: string; value: unknown }[]
    const page = await acts.tab(await acts.signedIn(), '/admin/configs/platform_basic')
    const name = page.getByRole('textbox', { name: 'Site name', exact: true })
    await name.fill('First')
    const onItsWay = Promise.withResolvers<Route>()
    await page.route(`**${group}`, (route) =>
      route.request().method() === 'PUT' ? onItsWay.resolve(route) : route.continue(),
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const route = await onItsWay.promise
    await name.fill('Second')
    // A reload does not wait until what was typed has rested.
    const read = page.waitForResponse((answer) => answer.url().endsWith(group) && answer.request().method() === 'GET')
    await route.continue()
    await read
    await page.getByText('1 change', { exact: true }).waitFor()
    assert.equal(await name.inputValue(), 'Second')
    await page.unroute(`**${group}`)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await until(async () => (await name.inputValue()) === 'Second')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('0 changes').waitFor()
    const value = async () =>
      (dataOf(await by.get(group))['items'] as unknown as typeof before).find(({ key }) => key === 'site_name')?.value
    await until(async () => (await value()) === 'Second')
    dataOf(await by.put(group, { site_name: before.find(({ key }) => key === 'site_name')?.value }))
  })

  it('14: what somebody typed is nothing to whoever signs in after them and has the same tab', async () => {
    const by = await acts.stage.staff()
    const next = { account: 'next-at-the-desk@stoa.test', password }
    dataOf(await by.post('/admin/users', { email: next.account, password, roles: ['platform_admin'] }), 201)
    const context = await acts.signedIn()
    const page = await acts.tab(context, '/admin/configs/platform_basic')
    page.on('dialog', (dialog) => void dialog.accept())
    const name = page.getByRole('textbox', { name: 'Site name', exact: true })
    const drafts = () =>
      page.evaluate<readonly string[]>('Object.keys(sessionStorage).filter((key) => key.startsWith("stoa.draft."))')
    await name.fill('Of the first')
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 change', { exact: true }).waitFor()

    // Nobody signs out: the other's session takes the place of theirs.
    await acts.signIn(context, next)
    await page.reload()
    await (await accountOf(page)).click()
    await page.getByText(next.account).first().waitFor()
    await name.waitFor()
    assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0)
    assert.deepEqual(await drafts(), [])
  })

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
    dataOf(await by.put('/admin/configs/groups/platform_captcha', { login_captcha_enabled: true }))
  })

  it('23: an action that is not possible now says why to everybody, and one without its right is not drawn', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins')
    const save = await blockedOn(await acts.tab(await acts.signedIn(), '/admin/configs/platform_basic'), 'Save')
    assert.match(save, /nothing|changed/i)
    await page.getByRole('link', { name: 'Marketplace' }).first().waitFor()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    const who = { account: 'auditor@stoa.test', password }
    dataOf(await by.post('/admin/users', { email: who.account, password, roles: ['platform_auditor'] }), 201)
    const auditor = await acts.tab(await acts.signedIn(who), '/admin/plugins')
    await auditor.getByRole('row').nth(1).waitFor()
    assert.equal(await auditor.getByRole('button', { name: 'Upload' }).count(), 0)
    await auditor.goto(acts.at('/tenant'))
    await auditor.getByRole('heading', { name: 'This page belongs to a tenant' }).waitFor()
    const guest = { account: 'guest@demo.test', password, tenant_code: 'demo' }
    const owner = await acts.stage.owner()
    dataOf(await owner.post('/tenant/users', { email: guest.account, password, roles: ['tenant_guest'] }), 201)
    const small = await acts.tab(await acts.signedIn(guest), '/tenant/users')
    await small.getByText('It needs the permission tenant_user:list.').waitFor()
  })

  function field(page: Page, name: string) {
    return page.getByRole('spinbutton', { name, exact: true })
  }
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
  /** The reason that stands with a button which cannot be pressed now, as a screen reader has it. */
  async function blockedOn(page: Page, name: string): Promise<string> {
    const button = page.getByRole('button', { name, disabled: true })
    await button.focus()
    const id = (await button.getAttribute('aria-describedby')) ?? ''
    await page.locator('button:focus', { hasText: name }).waitFor()
    return page.locator(`[id="${id}"]`).innerText()
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
  /** As another administrator would. */
  async function endSessions(by: Api): Promise<void> {
    // Those of browsers: calls that are not the matter of a test go on with theirs.
    const { items } = dataOf(await by.get('/admin/auth/sessions?device_name=a%20test')) as unknown as {
      readonly items: readonly { readonly id: string }[]
    }
    assert.ok(items.length > 0)
    for (const { id } of items) dataOf(await by.delete(`/admin/auth/sessions/${id}`))
  }
})
