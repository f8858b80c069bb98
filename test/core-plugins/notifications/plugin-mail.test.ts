import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api } from '../../support/api.ts'
import type { RunningJob } from '../../../core-plugins/jobs/contract.ts'
import { PluginMails } from '../../../core-plugins/notifications/channels/plugin-mail.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { smtpAllowance, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'

const api = '/tenant/plugins/acme.bills/api/send'
const zone = 'Pacific/Auckland'

/** Sends what it is told to whom it is told, and says what became of it. */
function packBills(): Promise<Buffer> {
  const capabilities = ['mail', 'ui']
  const manifest = {
    ...{ capabilities, reasons: Object.fromEntries(capabilities.map((name) => [name, 'For a test.'])) },
    slots: [{ slot: 'page', id: 'bills', entry: 'ui/page.html' }],
    tenant_routes: [{ method: 'POST', path: '/send', handler: 'send' }],
    mail: {
      templates: [
        {
          name: 'due',
          subject: { default: 'Bill {{number}}', 'zh-CN': '账单 {{number}}' },
          body: { default: 'It is {{number}}.\n\nPay soon.', 'zh-CN': '号码 {{number}}。' },
          values: ['number'],
        },
      ],
      perDay: 40,
    },
  }
  const definition = `{ handlers: { async send({ body }, { mail }) {
    try { await mail.send({ template: 'due', values: { number: '7' }, ...body }); return { sent: true } }
    catch ({ code, details }) { return { code, reason: details?.reason } }
  } } }`
  return packSmall('acme.bills', manifest, definition, { 'ui/page.html': '<!doctype html><title>Bills</title>' })
}

describe('an e-mail that waited', () => {
  const job = (): RunningJob<never> =>
    ({
      tenantId: 1,
      payload: { userId: 5, sealed: JSON.stringify({ tenantId: 1, to: 5 }) },
    }) as unknown as RunningJob<never>
  const deliver = async (find: () => Promise<undefined>): Promise<unknown> => {
    const secrets = { open: (text: string) => text }
    return new PluginMails({ secrets, users: { find } } as never).kind.run(job())
  }

  it('goes with its reader, and comes again where nobody can tell whether there is one', async () => {
    assert.equal(await deliver(() => Promise.resolve(undefined)), undefined)
    await assert.rejects(
      deliver(() => Promise.reject(new Error('The database is away'))),
      /is away/,
    )
  })
})

describe('the e-mails of plugins', () => {
  let server: SmtpServer
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    server = await startSmtpServer()
    platform = await startTestPlatform({
      plugins: corePlugins.filter(({ name }) => name !== 'first_run'),
      env: { EGRESS_ALLOW_PRIVATE: smtpAllowance },
    })
    await configure(platform.admin, 'admin', 'platform_mail', { ...server.settings })
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
    await installAndEnable(platform.admin, await packBills())
    dataOf(await platform.admin.post('/admin/plugins/acme.bills/tenants', { tenant_ids: [acme.id] }))
    dataOf(await acme.owner.post('/tenant/plugins/acme.bills/enable'))
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  let made = 0
  async function reader(preferences: Readonly<Record<string, unknown>> = {}) {
    const email = `reader${(made += 1)}@acme.test`
    const user: { readonly id: number; readonly api: Api } = await platform.createUser(acme, email, ['tenant_user'])
    dataOf(await user.api.patch('/preferences', preferences))
    return { ...user, email }
  }
  /** The time of day so many hours from now. */
  const hour = (hours: number): string =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).format(
      Date.now() + hours * 3_600_000,
    )
  const quietNow = () => ({ quiet_hours: { from: hour(-1), to: hour(2) }, timezone: zone })
  const send = async (to: unknown, more: object = {}) => dataOf(await acme.owner.post(api, { to, ...more }))
  /** Those who had mail by the time that somebody else's, sent after all of theirs, has come. */
  async function whoHadMail(readers: readonly { readonly email: string }[]): Promise<readonly boolean[]> {
    const last = await reader()
    assert.deepEqual(await send(last.id), { sent: true })
    await server.mailTo(last.email)
    return readers.map(({ email }) => server.mails.some(({ to }) => to.includes(email)))
  }

  it('come in the reader’s language and the tenant’s layout, with the way to the plugin’s page', async () => {
    const [english, chinese] = [await reader(), await reader({ locale: 'zh-CN' })]
    for (const { id } of [english, chinese]) assert.deepEqual(await send(id, { link: '/bills?id=7' }), { sent: true })
    const [one, two] = [await server.mailTo(english.email), await server.mailTo(chinese.email)]
    assert.deepEqual(
      [one, two].map(({ headers }) => headers.get('subject')),
      ['Bill 7 · acme', '账单 7 · acme'],
    )
    assert.match(one.text, /It is 7\.\n\nPay soon\.\n\n[^]*\/console\/plugins\/acme\.bills\/bills\?id=7\n/)
    assert.match(one.text, /The plugin acme\.bills wrote this/)
    assert.match(two.text, /号码 7。/)
  })

  it('carry no header, no markup and no link that a value brings', async () => {
    const one = await reader()
    const number = '1\r\nBcc: eve@evil.test\r\n\r\n<a href=x>evil.test</a> https://evil.test/a'
    assert.deepEqual(await send(one.id, { values: { number } }), { sent: true })
    const { raw, headers, text, html, to } = await server.mailTo(one.email)
    assert.deepEqual([headers.get('bcc'), to], [undefined, [one.email]])
    assert.doesNotMatch(raw, /^bcc:/im)
    assert.doesNotMatch(html, /<a /)
    assert.doesNotMatch(text + html + (headers.get('subject') ?? ''), /evil\.test|:\/\/evil/)
    assert.match(text, /evil test/)
  })

  it('reach nobody of another tenant and no address', async () => {
    assert.deepEqual(await send(other.ownerId), { code: 'not_found', reason: 'notification_recipient' })
    assert.deepEqual(await send(2_000_000_000), { code: 'not_found', reason: 'notification_recipient' })
    assert.deepEqual(await send('eve@evil.test'), { code: 'bad_request', reason: 'argument_invalid' })
  })

  it('reach the owner of the tenant', async () => {
    assert.deepEqual(await send('owner'), { sent: true })
    assert.equal((await server.mailTo('owner@acme.test')).headers.get('subject'), 'Bill 7 · acme')
  })

  it('leave out whoever wants none of the plugin, of the template or at all, which the plugin does not learn', async () => {
    const off = { email: 'off' }
    const readers = [
      await reader({ notification_muted: ['plugin.acme.bills'] }),
      await reader({ notification_channels: { 'plugin.acme.bills': off } }),
      await reader({ notification_channels: { 'plugin.acme.bills.due': off } }),
      await reader({ notification_channels: { '*': off } }),
      await reader({ notification_channels: { '*': off, 'plugin.acme.bills': { email: 'now' } } }),
      await reader(),
    ]
    // Nor is whoever was shut out written to.
    dataOf(await acme.owner.put(`/tenant/users/${readers.at(-1)?.id}`, { status: 'disabled' }))
    for (const { id } of readers) assert.deepEqual(await send(id), { sent: true })
    assert.deepEqual(await whoHadMail(readers), [false, false, false, false, true, false])
  })

  it('wait for the end of quiet hours', async () => {
    const one = await reader(quietNow())
    assert.deepEqual(await send(one.id), { sent: true })
    assert.deepEqual(await whoHadMail([one]), [false])
    const jobs = () => runningKernel(platform).database.knex('jobs').queryContext({ tenant: 'all' })
    const waiting = await jobs().where({ kind: 'notifications.plugin_mail' }).select('state', 'payload')
    assert.deepEqual(
      waiting.map(({ state }: { state: string }) => state),
      ['delayed'],
    )
    assert.doesNotMatch(JSON.stringify(waiting), /Bill 7/)
    await jobs().where({ kind: 'notifications.plugin_mail' }).update({ run_at: new Date() })
    assert.equal((await server.mailTo(one.email)).headers.get('subject'), 'Bill 7 · acme')
  })

  it('go with their plugin while they wait', async () => {
    const templates = [{ name: 'due', subject: { default: 'Due' }, body: { default: 'Now' } }]
    const more = {
      ...{ capabilities: ['mail'], reasons: { mail: 'For a test.' }, mail: { templates } },
      tenant_routes: [{ method: 'POST', path: '/send', handler: 'send' }],
    }
    const send = `{ handlers: { send: ({ body: { to } }, { mail }) => mail.send({ template: 'due', to }) } }`
    await installAndEnable(platform.admin, await packSmall('acme.going', more, send))
    dataOf(await platform.admin.post('/admin/plugins/acme.going/tenants', { tenant_ids: [acme.id] }))
    dataOf(await acme.owner.post('/tenant/plugins/acme.going/enable'))
    const quiet = await reader(quietNow())
    dataOf(await acme.owner.post('/tenant/plugins/acme.going/api/send', { to: quiet.id }))
    const waiting = async (): Promise<unknown> =>
      (
        await runningKernel(platform)
          .database.knex('jobs')
          .queryContext({ tenant: 'all' })
          .where({ group_name: 'acme.going', kind: 'notifications.plugin_mail' })
      ).length
    assert.equal(await waiting(), 1)
    dataOf(await platform.admin.delete('/admin/plugins/acme.going?purge=true'))
    assert.equal(await waiting(), 0)
  })

  it('have the quota that an administrator allowed, also above the usual one', async () => {
    const templates = [{ name: 'due', subject: { default: 'Due' }, body: { default: 'Now' } }]
    const more = { capabilities: ['mail'], reasons: { mail: 'For a test.' }, mail: { templates, perDay: 900 } }
    await installAndEnable(platform.admin, await packSmall('acme.many', more))
    const { limits } = dataOf(await platform.admin.get('/admin/plugins/acme.many')) as unknown as {
      limits: Record<string, unknown>
    }
    assert.equal(limits['mails_per_day'], 900)
  })

  it('end at twenty an hour to one user, and at the day’s quota of the plugin', async () => {
    const one = await reader()
    const answers: unknown[] = []
    for (let at = 0; at < 40; at++) answers.push(await send(one.id))
    assert.deepEqual(answers.slice(0, 20), Array(20).fill({ sent: true }))
    assert.deepEqual(answers[20], { code: 'rate_limited', reason: 'rate_limited' })
    assert.deepEqual(answers[39], { code: 'rate_limited', reason: 'mail_quota' })
  })
})
