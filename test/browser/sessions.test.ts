import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { actAsOwner } from './support/act-as-owner.ts'
import { restartableChromium } from './support/chromium.ts'
import { admin, demoOwner, useActs } from './support/stage.ts'
import { accountOf, signInByHand } from './support/steps.ts'

describe('a session', () => {
  const acts = useActs()

  it('12: goes on after a reload, in a new tab and after a restart of the browser; its token is in no storage, address or page', async () => {
    await acts.stage.staff()
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-browser-'))
    try {
      const before = await restartableChromium(folder)
      const page = await acts.tab(before, '/login')
      await signInByHand(page, admin.email, admin.password)
      await accountOf(page)
      await page.reload()
      await accountOf(page)
      const tab = await acts.tab(before, '/admin/tenants')
      await tab.getByRole('link', { name: 'Demo' }).waitFor()
      const everything = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
      )
      assert.doesNotMatch(everything, /eyJ[\w-]{10}|rt_[\w-]{20}/)
      await before.close()
      const after = await restartableChromium(folder)
      await accountOf(await acts.tab(after, '/admin/tenants'))
      await after.close()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('13: ten tabs ask for one token a minute between them, and nobody is signed out', async () => {
    const by = await acts.stage.staff()
    const minutes = 10
    dataOf(await by.put('/admin/configs/groups/platform_security', { access_token_minutes: 1 }))
    const context = await acts.signedIn()
    await context.clock.install()
    const tabs: Page[] = []
    for (let each = 0; each < 10; each += 1) tabs.push(await acts.tab(context, '/profile'))
    await Promise.all(tabs.map(accountOf))
    // From here on time goes on where it is said, however long a machine takes for what a tab waits for.
    await context.clock.pauseAt(Date.now() + 5_000)
    let asked = 0
    context.on('request', (request) => void (asked += request.url().endsWith('/auth/refresh') ? 1 : 0))
    for (let minute = 0; minute < minutes; minute += 1) {
      const answered = context.waitForEvent('response', (response) => response.url().endsWith('/auth/refresh'))
      await context.clock.fastForward(60_000)
      // The tab that is first gives the others a moment to answer before it asks the server.
      await until(async () => {
        if (asked === minute) await context.clock.runFor(150)
        return asked > minute
      })
      await answered
      // Each tab has the new token once it has asked something with it.
      await Promise.all(tabs.map((tab) => tab.evaluate('navigator.locks.request("stoa.refresh.platform", () => 0)')))
    }
    assert.equal(asked, minutes)
    for (const tab of tabs) assert.equal(await tab.getByRole('dialog').count(), 0)
    dataOf(await by.put('/admin/configs/groups/platform_security', { access_token_minutes: 15 }))
  })

  it('15: a new password in one tab makes the other ask in place; signing out in one shows in the other', async () => {
    const by = await acts.stage.staff()
    const who = { account: 'two-tabs@stoa.test', password: 'a long enough passphrase' }
    const roles = ['platform_admin']
    dataOf(await by.post('/admin/users', { email: who.account, password: who.password, roles }), 201)
    const context = await acts.signedIn(who)
    const [one, other] = [await acts.tab(context, '/profile/security'), await acts.tab(context, '/admin/tenants')]
    await accountOf(other)
    await one.getByLabel('Present password').fill(who.password)
    await one.getByLabel('New password').fill('a new and long enough passphrase')
    await one.getByRole('button', { name: 'Change the password' }).click()
    await one.getByText('changed').first().waitFor()
    const dialog = other.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByText('Your password was changed.').waitFor()
    await dialog.getByLabel('Password').fill('a new and long enough passphrase')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await other.getByRole('link', { name: 'Demo' }).waitFor()
    await (await accountOf(one)).click()
    await one.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('is listed among the others, and all of them end at once, this one with them', async () => {
    const by = await acts.stage.staff()
    const who = { account: 'everywhere@stoa.test', password: 'a long enough passphrase' }
    const roles = ['platform_admin']
    dataOf(await by.post('/admin/users', { email: who.account, password: who.password, roles }), 201)
    const [here, there] = [await acts.signedIn(who), await acts.signedIn(who)]
    const page = await acts.tab(here, '/profile/sessions')
    await page.getByText('1–2 of 2').waitFor()
    const sorted = page.waitForResponse(/auth\/sessions\?.*sort=created_at/)
    await page.getByRole('button', { name: 'Signed in' }).click()
    assert.equal((await sorted).status(), 200)
    await page.getByRole('button', { name: 'End all sessions' }).click()
    const dialog = page.getByRole('dialog', { name: 'End all sessions?' })
    await dialog.getByText('this one too').waitFor()
    await dialog.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const headers = { 'x-requested-with': 'console' }
    const answer = await there.request.post(`${acts.stage.host.url}/admin/auth/refresh`, { data: {}, headers })
    assert.equal(answer.status(), 401)
  })

  it('is kept safe by codes that are put on paper by themselves, and by the own address', async () => {
    const by = await acts.stage.staff()
    const who = { account: 'on-paper@stoa.test', password: 'a long enough passphrase' }
    dataOf(
      await by.post('/admin/users', { email: who.account, password: who.password, roles: ['platform_admin'] }),
      201,
    )
    const page = await acts.tab(await acts.signedIn(who), '/profile')
    await page.getByText('Pages are shown in English').waitFor()
    await page.getByRole('link', { name: 'To the preferences' }).waitFor()
    await page.goto(acts.at('/profile/security'))
    await page.getByRole('button', { name: 'Add my address' }).click()
    await until(async () => /^[\d.:a-f]+$/.test(await page.getByLabel('Only from these addresses').inputValue()))
    await page.getByRole('button', { name: 'Set it up' }).click()
    const factor = page.getByRole('region', { name: 'Second factor' })
    const secret = Secret.fromBase32((await factor.locator('code').textContent()) ?? '')
    await factor.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
    await factor.getByRole('button', { name: 'Turn it on' }).click()
    await factor.getByRole('listitem').first().waitFor()
    const codes = await factor.getByRole('listitem').allTextContents()
    await page.evaluate(`window.print = () => (window.printed = document.querySelector('.print-alone').innerText)`)
    await factor.getByRole('button', { name: 'Print' }).click()
    const printed = await page.evaluate<string>('window.printed')
    for (const code of codes) assert.ok(printed.includes(code), printed)
    assert.match(printed, /^Recovery codes for on-paper@stoa\.test/)
    // Once more as paper has it, where nothing else stands.
    await page.evaluate(`document.querySelector('.codes').parentElement.classList.add('print-alone')`)
    await page.emulateMedia({ media: 'print' })
    const whole = await page.evaluate<string>('document.body.innerText')
    assert.equal(whole.includes(codes[0] ?? '?'), true)
    assert.equal(/Change the password|Second factor/.test(whole), false)
    await page.emulateMedia({ media: 'screen' })
  })

  it('17: the platform’s and a tenant’s stand side by side in one browser, and each page offers to change sides', async () => {
    const context = await acts.signedIn(demoOwner(acts.stage))
    await acts.signIn(context, { account: admin.email, password: admin.password })
    const tenant = await acts.tab(context, '/tenant/plugins')
    await tenant.getByRole('heading', { name: 'Plugins' }).waitFor()
    const staff = await acts.tab(context, '/admin/tenants')
    await staff.getByRole('button', { name: 'Go to the platform’s side' }).click()
    await staff.getByRole('link', { name: 'Demo' }).waitFor()
    await tenant.reload()
    await tenant.getByRole('heading', { name: 'Plugins' }).waitFor()
    await (await accountOf(tenant)).click()
    await tenant.getByRole('button', { name: 'Sign out' }).click()
    await tenant.getByRole('heading', { name: 'Sign in' }).waitFor()
    await staff.reload()
    await staff.getByRole('link', { name: 'Demo' }).waitFor()
  })

  it('18: who acts as an owner is told so with the time left, in that tab alone, until End or a reload; the audit log has it', async () => {
    const { stage } = acts
    const context = await acts.signedIn()
    // The owner in person, in the same browser: nothing of it may end with the other's acting.
    await acts.signIn(context, demoOwner(stage))
    const staff = await acts.tab(context, '/admin/tenants')
    await staff.getByRole('link', { name: 'Demo' }).click()
    const act = async () => {
      const opened = await actAsOwner(staff, 'Ticket 18')
      await opened.getByText(/You act as .* of Demo, (29|30) min left/).waitFor()
      return opened
    }
    const first = await act()
    await first.reload()
    // Of the token that it held nothing is left: the tab is the administrator's own again.
    await accountOf(first)
    assert.equal(await first.getByText('You act as').count(), 0)
    const second = await act()
    const closed = second.waitForEvent('close')
    await second.getByRole('button', { name: 'End' }).click()
    await closed
    const own = await acts.tab(context)
    await own.addInitScript(`sessionStorage.setItem('stoa.hint', '{"scope":"tenant"}')`)
    await own.goto(acts.at('/tenant/plugins'))
    await own.getByRole('heading', { name: 'Plugins' }).waitFor()
    assert.equal(await own.getByText('You act as').count(), 0)
    const audit = dataOf(await (await stage.staff()).get('/admin/audit-logs?action=tenant.impersonated'))
    const items = audit['items'] as unknown as { after: { reason?: string } }[]
    assert.deepEqual(
      items.slice(0, 2).map(({ after }) => after.reason),
      ['Ticket 18', 'Ticket 18'],
    )
  })
})
