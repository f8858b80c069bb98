import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { uploaded } from '../support/attachments.ts'
import { packFixture } from '../support/packages.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable } from '../support/small-plugin.ts'
import { startSmtpServer, type SmtpServer } from '../support/smtp-server.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const basic = '/tenant/configs/groups/tenant_basic'
const login = '/tenant/configs/groups/tenant_login'
const captcha = '/admin/configs/groups/platform_captcha'

describe('the pages without a session', () => {
  const acts = useActs()
  let staff: Api
  let owner: Api
  let mail: SmtpServer

  before(async () => {
    staff = await acts.stage.staff()
    owner = await acts.stage.owner()
    mail = await startSmtpServer()
    dataOf(await staff.put('/admin/configs/groups/platform_mail', { ...mail.settings }))
  })
  after(async () => {
    dataOf(await staff.put('/admin/configs/groups/platform_mail', { reset: Object.keys(mail.settings) }))
    const shown = ['logo_url', 'logo_dark_url', 'footer_copyright', 'favicon_url']
    dataOf(await owner.put(basic, { reset: shown }))
    const ways = ['login_title', 'login_subtitle', 'login_bg', 'allow_registration', 'login_methods']
    dataOf(await owner.put(login, { reset: ways }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_legal', { reset: ['terms'] }))
    const asked = { reset: ['user_registration_captcha_enabled'] }
    dataOf(await owner.put('/tenant/configs/groups/tenant_captcha', asked))
    await mail[Symbol.asyncDispose]()
  })

  it('2.4: a tenant’s host shows the tenant’s own sign-in, in both themes, and what it has published', async () => {
    const [logo = '', dark = '', ground] = await Promise.all(
      ['light.png', 'dark.png', 'ground.png'].map(async (file, at) => {
        const content = await picture(40 + at, 20)
          .png()
          .toBuffer()
        return (await uploaded(owner, file, content, { usage: 'config' }))['id'] as unknown as string
      }),
    )
    const looks = { logo_url: logo, logo_dark_url: dark, footer_copyright: '© Demo & <b>sons</b>', favicon_url: logo }
    dataOf(await owner.put(basic, looks))
    const words = { login_title: 'Welcome <i>in</i>', login_subtitle: 'Everybody of Demo', login_bg: ground }
    dataOf(await owner.put(login, { ...words, allow_registration: true }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_legal', { terms: '<p>Be kind.</p>' }))
    const context = await acts.person({ viewport: { width: 360, height: 740 } })
    const page = await tenantTab(context, '/login')

    await page.getByRole('heading', { level: 1, name: 'Welcome <i>in</i>' }).waitFor()
    assert.equal(await page.title(), 'Sign in · Demo')
    for (const text of ['Everybody of Demo', '© Demo & <b>sons</b>']) await page.getByText(text).waitFor()
    assert.equal(await page.getByRole('group', { name: 'What you sign in to' }).count(), 0)
    const widths = () =>
      page
        .locator('main img')
        .evaluateAll((all) =>
          (all as unknown as { naturalWidth: number; checkVisibility(): boolean }[])
            .filter((each) => each.checkVisibility())
            .map(({ naturalWidth }) => naturalWidth),
        )
    for (const [scheme, width] of [
      ['light', 40],
      ['dark', 41],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await until(async () => JSON.stringify(await widths()) === JSON.stringify([width]))
      assert.deepEqual(await axeFaults(page), [])
    }
    await until(() =>
      page.locator('img.ground').evaluate((image) => (image as { naturalWidth?: number }).naturalWidth === 42),
    )
    assert.match((await page.locator('link[rel="icon"]').getAttribute('href')) ?? '', new RegExp(logo))

    await page.getByRole('link', { name: 'Terms of use' }).click()
    await page.getByText('Be kind.').waitFor()
    await page.goBack()
    assert.equal(await page.getByRole('link', { name: 'Privacy policy' }).count(), 0)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Join' }).waitFor()
    assert.equal(await page.getByLabel('Code of the tenant').count(), 0)

    await acts.signIn(context, demoOwner(acts.stage))
    const inside = await acts.tab(context, '/tenant')
    const brand = inside.locator('.brand img')
    await until(async () => (await brand.count()) === 2)
    const addresses = await brand.evaluateAll((all) => (all as unknown as { src: string }[]).map(({ src }) => src))
    for (const [at, id] of [logo, dark].entries()) assert.ok(addresses[at]?.includes(id), addresses[at])
  })

  it('2.4: a user signs in with a code that comes by e-mail; a way that is off is told, and the others offered', async () => {
    dataOf(await owner.post('/tenant/users', { email: 'coded@demo.test', roles: ['tenant_user'] }), 201)
    const page = await tenantTab(await acts.person(), '/login')
    await page.getByRole('button', { name: 'Sign in with a code by e-mail' }).click()
    await page.getByLabel('E-mail').fill('coded@demo.test')
    await page.keyboard.press('Enter')
    await page.getByText('a code is on its way to').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByText(/in \d+ s/).waitFor()
    const code = /\b\d{6}\b/.exec((await mail.mailTo('coded@demo.test')).text)?.[0] ?? assert.fail('no code')
    await page.getByLabel('Code of six digits').fill(code === '000000' ? '111111' : '000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code of six digits').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Account of/ }).waitFor()

    dataOf(await owner.put(login, { login_methods: ['email_code'] }))
    const strange = await acts.tab(await acts.person(), '/login?tenant=demo')
    await strange.getByLabel('E-mail or account').fill('coded@demo.test')
    await strange.getByLabel('Password').fill('whatever it is')
    await strange.getByRole('button', { name: 'Sign in', exact: true }).click()
    await strange.getByRole('alert').waitFor()
    await strange.getByRole('button', { name: 'Sign in with a code by e-mail' }).click()
    assert.equal(await strange.getByRole('button', { name: 'Sign in with a password' }).count(), 0)
    assert.equal(await strange.getByLabel('E-mail').inputValue(), 'coded@demo.test')
    dataOf(await owner.put(login, { login_methods: ['password', 'email_code'] }))
  })

  it('2.4: whoever forgot a password on a tenant’s host gets a link there; an invitation fixes its address', async () => {
    dataOf(await owner.post('/tenant/users', { email: 'lost@demo.test', roles: ['tenant_user'] }), 201)
    const page = await tenantTab(await acts.person(), '/forgot-password')
    await page.getByLabel('E-mail or account').fill('lost@demo.test')
    await page.keyboard.press('Enter')
    await page.getByText('a link is on its way').waitFor()
    const [link] = /http\S+reset-password#token=\S+/.exec((await mail.mailTo('lost@demo.test')).text) ?? []
    assert.equal(new URL(link ?? '').hostname, 'demo.localhost')

    const invite = { email: 'bidden@demo.test', roles: ['tenant_user'], send: false }
    const { invite_url: url } = dataOf(await owner.post('/tenant/users/invites', invite), 201)
    const { pathname, hash } = new URL(url as unknown as string)
    dataOf(await owner.put('/tenant/configs/groups/tenant_captcha', { user_registration_captcha_enabled: false }))
    await page.goto(`${tenantHost()}${pathname}${hash}`)
    await page.getByText('You were invited with this address.').waitFor()
    assert.equal(await page.getByLabel('E-mail').getAttribute('readonly'), '')
    await page.getByLabel('Your name').fill('Guest')
    await page.getByLabel('Password').fill('a long enough passphrase')
    await page.keyboard.press('Enter')
    await page.getByText('Your account is there.').waitFor()
  })

  it('2.4: a captcha of work is done by the device, without anybody’s doing, wherever one is wanted', async () => {
    await installAndEnable(staff, await packFixture('captcha-pow'))
    dataOf(await staff.put(captcha, { captcha_provider: 'pow' }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_captcha', { user_registration_captcha_enabled: true }))
    dataOf(await owner.put(login, { allow_registration: true }))
    try {
      const context = await acts.person()
      const page = await acts.tab(context, '/login')
      await page.getByLabel('E-mail or account').fill('nobody@stoa.test')
      for (let time = 0; time < 4; time += 1) {
        await page.getByLabel('Password').fill(`wrong ${time}`)
        const refused = page.waitForResponse(
          (answer) => answer.url().endsWith('/login/json') && answer.status() === 401,
        )
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await refused
      }
      // The fourth was refused for its password, so its captcha was right.
      await page.getByRole('alert').getByText('The account or the password is wrong').waitFor()
      assert.equal(await page.getByLabel('What the picture shows').count(), 0)
      assert.deepEqual(await axeFaults(page), [])

      const join = await tenantTab(context, '/register')
      await join.getByLabel('E-mail').fill('worker@demo.test')
      await join.getByLabel('Your name').fill('Worker')
      await join.getByLabel('Password').fill('a long enough passphrase')
      await join.keyboard.press('Enter')
      await join.getByText('A mail with a link is on its way.').waitFor()
    } finally {
      dataOf(await staff.put(captcha, { captcha_provider: 'image' }))
      dataOf(await staff.delete('/admin/plugins/stoa.captcha-pow?purge=true'))
    }
  })

  it('1, 3.2: the page of sign-in stands beside its settings, and follows each key', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/settings/tenant_login')
    const preview = page.getByRole('figure')
    await preview.getByText('Demo', { exact: true }).waitFor()
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('')
    await title.pressSequentially('Hello')
    await preview.locator('h1', { hasText: /^Hello$/ }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('3.2: mail, storage, domains and keys are tried beside their settings', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/configs/platform_mail')
    await page.getByLabel('Send a mail to').fill('somebody@stoa.test')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('It went out to somebody@stoa.test.').waitFor()
    await mail.mailTo('somebody@stoa.test')
    await page.goto(acts.at('/admin/configs/platform_storage'))
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('It reads as it was written').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at('/admin/configs/platform_security'))
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('CONFIG_FERNET_KEYS').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at('/admin/configs/platform_ssl'))
    await page.getByRole('heading', { name: 'Where the domains lead' }).waitFor()
    await page.getByText('Asked').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  function tenantHost(): string {
    const { port } = new URL(acts.stage.host.url)
    return `http://demo.localhost:${port}`
  }
  /** A tab on the tenant's own host. */
  function tenantTab(context: BrowserContext, route: string): Promise<Page> {
    return acts.tab(context, route, tenantHost())
  }
})
