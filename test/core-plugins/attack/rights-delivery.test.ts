import assert from 'node:assert/strict'
import notifications from '../../../core-plugins/notifications/index.ts'
import type { Answer, Api } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'
import { smtpAllowance, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { signedInLongAgo } from '../../support/old-session.ts'

const superAdmin = 'admin@stoa.test'

describe('attack: becoming somebody above through the mail server', () => {
  let platform: TestPlatform
  let own: SmtpServer
  let evil: SmtpServer
  let staff = 0

  before(async () => {
    own = await startSmtpServer()
    evil = await startSmtpServer()
    const env = { EGRESS_ALLOW_PRIVATE: smtpAllowance }
    platform = await startTestPlatform({ plugins: [...identityPlugins, notifications], env })
    assert.equal((await point(platform.admin, own)).status, 200)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await Promise.all([own, evil].map((server) => server[Symbol.asyncDispose]()))
  })

  const point = (by: Api, { settings }: SmtpServer) => by.put('/admin/configs/groups/platform_mail', settings)
  const changes = () => platform.test.kernel.database.knex('mail_delivery_changes').queryContext({ tenant: 'all' })
  /** Messages that a server refused are tried again now, and not in the minutes to come. */
  const hurry = () =>
    platform.test.kernel.database
      .knex('jobs')
      .where({ kind: 'mail.deliver', state: 'delayed' })
      .update({ run_at: new Date(0) })
      .queryContext({ tenant: 'all' })
  const forgot = (email: string) => platform.test.api.post('/admin/auth/forgot-password', { email })

  async function hire(roles: readonly string[]): Promise<{ id: number; email: string; api: Api }> {
    const email = `staff${(staff += 1)}@stoa.test`
    const made = await platform.admin.post('/admin/users', { email, password: testPassword, roles })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const id = Number(made.body['data']?.['id'])
    return { id, email, api: await platform.signIn(0, id) }
  }

  /** The same administrator, whose sign-in is an hour old. */
  function stale(): Promise<Api> {
    return signedInLongAgo(platform.test, superAdmin, testPassword)
  }

  it('is refused to staff who may write configuration and are not above everybody', async () => {
    const { api } = await hire(['platform_admin'])
    const answers = [
      await point(api, evil),
      await api.put('/admin/configs/groups/platform_mail', { smtp_port: evil.port }),
      await api.put('/admin/configs/groups/platform_mail', { values: {}, reset: ['mail_driver'] }),
      await api.put('/configs/groups/platform_sms', { sms_driver: 'webhook', sms_webhook_url: 'https://evil.example' }),
      await api.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: 'evil.example' }),
    ]
    assert.deepEqual(answers.map(outcome), Array(5).fill('403 4031'))
    await forgot(superAdmin)
    await own.mailTo(superAdmin)
    assert.deepEqual(
      [evil.attempts, await api.put('/admin/configs/groups/platform_mail', {}).then(outcome)],
      [0, '200 0'],
    )
  })

  it('needs a fresh sign-in of whoever may', async () => {
    const old = await stale()
    assert.deepEqual([outcome(await old.get('/admin/auth/me')), outcome(await point(old, evil))], ['200 0', '401 4018'])
  })

  it('is told over the old channel, and to every administrator in the console', async () => {
    const { api, email } = await hire(['platform_auditor'])
    const seen = own.mails.length
    const moved = await platform.admin.put('/admin/configs/groups/platform_mail', { mail_from: 'new@stoa.test' })
    assert.equal(moved.status, 200)
    await until(() => own.mails.slice(seen).some(({ text }) => /changed how/i.test(text)), 30_000)
    const news = own.mails.slice(seen).find(({ text }) => /changed how/i.test(text))
    const inbox = await api.get('/notifications')
    const titles = (inbox.body['data']?.['items'] as unknown as readonly { title: string; source: string }[]) ?? []
    assert.deepEqual([news?.to, news?.from], [[superAdmin], 'stoa@stoa.test'])
    assert.match(news?.text ?? '', /Changed by: .*admin@stoa\.test/)
    assert.ok(
      titles.some(({ title, source }) => source === 'mail' && /e-mail/.test(title)),
      `${email} knows nothing`,
    )
  })

  /** A writer of the channel who was above everybody when it was changed, and is not any more. */
  async function usurp(): Promise<{ id: number; email: string }> {
    const rogue = await hire(['super_admin'])
    await changes().update({ changed_at: new Date(0) })
    assert.equal((await point(rogue.api, evil)).status, 200)
    const demoted = await platform.admin.put(`/admin/users/${rogue.id}`, { roles: ['platform_auditor'] })
    assert.equal(demoted.status, 200, JSON.stringify(demoted.body))
    return rogue
  }

  it('opens no account above the writer for a day, but the writer’s own', async () => {
    const [one, two] = [await hire(['super_admin']), await hire(['super_admin'])]
    const rogue = await usurp()
    await forgot(one.email)
    await until(async () => (await withheld(platform.admin, '/admin/audit-logs')).includes(`user:${one.id}`), 30_000)
    await forgot(rogue.email)
    await until(() => linksIn(evil).includes(rogue.email), 30_000)
    assert.deepEqual(linksIn(evil), [rogue.email])
    await changes().update({ changed_at: new Date(Date.now() - 25 * 3_600_000) })
    await forgot(two.email)
    await until(() => linksIn(evil).includes(two.email), 30_000)
    assert.deepEqual(linksIn(evil), [rogue.email, two.email])
    assert.equal((await point(platform.admin, own)).status, 200)
  })

  it('opens no account of a tenant either, by link or by code, also of what waited for delivery', async () => {
    const acme = await platform.createTenant('acme')
    const seen = linksIn(evil).length
    const { attempts } = own
    own.onMail = () => Promise.reject(new Error('not now'))
    await platform.test.api.post('/auth/forgot-password', { email: 'owner@acme.test', tenant_code: 'acme' })
    await until(() => own.attempts > attempts, 30_000)
    await usurp()
    own.onMail = () => undefined
    const person = await platform.createUser(acme, 'person@acme.test', ['tenant_user'])
    await platform.test.api.post('/auth/login-code/send', { email: 'person@acme.test', tenant_code: 'acme' })
    await until(async () => {
      // On a slow machine its second try may have been refused as well.
      await hurry()
      const targets = await withheld(acme.owner, '/tenant/audit-logs')
      return targets.includes(`user:${person.id}`) && targets.includes(`user:${acme.ownerId}`)
    }, 30_000)
    assert.deepEqual(linksIn(evil).slice(seen), [])
    assert.equal((await point(platform.admin, own)).status, 200)
  })

  it('makes no account in a tenant either, by an invitation or by the proof of an address', async () => {
    const tenant = await platform.createTenant('guests')
    const group = (code: string) => `/tenant/configs/groups/${code}`
    await tenant.owner.put(group('tenant_login'), { allow_registration: true })
    await tenant.owner.put(group('tenant_captcha'), { user_registration_captcha_enabled: false })
    await usurp()
    const seen = linksIn(evil).length
    const invitation = { email: 'guest@guests.test', roles: ['tenant_admin'] }
    assert.equal((await tenant.owner.post('/tenant/users/invites', invitation)).status, 201)
    const newcomer = { email: 'chief@guests.test', nickname: 'Chief', password: testPassword, tenant_code: 'guests' }
    const { body } = await platform.test.api.post('/auth/register', newcomer)
    const id = Number(body['data']?.['user_id'])
    await until(async () => {
      const targets = await withheld(tenant.owner, '/tenant/audit-logs')
      return targets.includes(`user:${tenant.ownerId}`) && targets.includes(`user:${id}`)
    }, 30_000)
    assert.deepEqual(linksIn(evil).slice(seen), [])
    assert.equal((await point(platform.admin, own)).status, 200)
  })
})

const linksIn = ({ mails }: SmtpServer): readonly string[] =>
  mails.flatMap(({ text, to }) => (/reset-password|\b\d{6}\b/.test(text) ? to : []))

/** Whose recovery was withheld, as the log says. */
async function withheld(by: Api, path: string): Promise<readonly string[]> {
  const { body } = await by.get(`${path}?action=mail.recovery_withheld`)
  return (body['data']?.['items'] as unknown as readonly { target: string }[]).map(({ target }) => target)
}

function outcome({ status, body }: Answer): string {
  return `${status} ${body['code'] as unknown as number}`
}
