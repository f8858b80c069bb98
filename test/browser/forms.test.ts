import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { admin, useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

const password = 'a long enough passphrase'

interface NumberItem {
  readonly key: string
  readonly name: string
  readonly value: number
  readonly rules: { readonly min?: number; readonly max?: number }
}

describe('forms', () => {
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
  /** The reason that stands with a button which cannot be pressed now, as a screen reader has it. */
  async function blockedOn(page: Page, name: string): Promise<string> {
    const button = page.getByRole('button', { name, disabled: true })
    await button.focus()
    const id = (await button.getAttribute('aria-describedby')) ?? ''
    await page.locator('button:focus', { hasText: name }).waitFor()
    return page.locator(`[id="${id}"]`).innerText()
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
