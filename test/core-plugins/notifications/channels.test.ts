import assert from 'node:assert/strict'
import { notificationsCreated, notifier, type NewNotification } from '../../../core-plugins/notifications/contract.ts'
import notifications from '../../../core-plugins/notifications/index.ts'
import { definePlugin, type EventRef, type Plugin } from '#kernel'
import type { Body } from '../../support/api.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { smtpAllowance, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'

type Created = typeof notificationsCreated extends EventRef<infer P> ? P : never
const heard: Created[] = []
const listener: Plugin = definePlugin({
  ...described('listener'),
  setup: (scope) => scope.on(notificationsCreated, (created) => void heard.push(created)),
})
const zone = 'Pacific/Auckland'

describe('the ways of notifications', () => {
  let server: SmtpServer
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    server = await startSmtpServer()
    platform = await startTestPlatform({
      plugins: [...identityPlugins, notifications, listener],
      env: { EGRESS_ALLOW_PRIVATE: smtpAllowance },
    })
    await configure(platform.admin, 'admin', 'platform_mail', { ...server.settings })
    acme = await platform.createTenant('acme')
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  let made = 0
  /** Somebody with these preferences, and with words of their own. */
  async function reader(preferences: Readonly<Record<string, unknown>>) {
    const email = `reader${(made += 1)}@acme.test`
    const { id, api } = await platform.createUser(acme, email, ['tenant_user'])
    dataOf(await api.patch('/preferences', preferences))
    return {
      ...{ id, api, email },
      send: (title: string, more: Partial<NewNotification> = {}) =>
        platform.test.kernel.services
          .get(notifier)
          .send({ tenantId: acme.id, userId: id, title, source: 'system', ...more }),
      titles: async () =>
        (dataOf(await api.get('/notifications'))['items'] as unknown as Body[]).map((item) => item['title']),
      mails: () => server.mails.filter(({ to }) => to.includes(email)),
    }
  }
  const jobs = (kind: string) =>
    runningKernel(platform)
      .database.knex<{ kind: string; state: string; run_at: Date; tenant_id: number; id: number }>('jobs')
      .queryContext({ tenant: 'all' })
      .where({ kind })
  const heardBy = (userId: number) => heard.filter((created) => created.userId === userId)

  it('are the list alone, unless somebody wishes otherwise', async () => {
    const one = await reader({})
    await one.send('a', { kind: 'system.news' })
    const { items } = dataOf(await one.api.get('/notifications?kind=system.news')) as unknown as { items: Body[] }
    assert.deepEqual([items.map(({ kind }) => kind), one.mails()], [['system.news'], []])
    assert.deepEqual(
      heardBy(one.id).map(({ isShown, isQuiet }) => [isShown, isQuiet]),
      [[true, false]],
    )
  })

  it('are e-mail at once for kinds that are wanted so, in the reader’s language, with the way to the console', async () => {
    const wants = { 'system.news': { email: 'now' }, system: { app: false, webhook: false } }
    const one = await reader({ notification_channels: wants, locale: 'zh-CN' })
    await one.send('Offer', { kind: 'system.offer' })
    const title = { words: 'Links in messages lead elsewhere now', reason: 'notice.delivery_link' }
    await platform.test.kernel.services.get(notifier).send({
      ...{ title, kind: 'system.news', source: 'system', link: '/tenant/domains' },
      tenantId: acme.id,
      userId: one.id,
    })
    const mail = await server.mailTo(one.email)
    assert.match(mail.headers.get('subject') ?? '', /^消息中的链接已指向新的域名 · /)
    assert.match(mail.text, /\/console\/tenant\/domains/)
    await until(async () => (await jobs('notifications.mail').pluck('state')).every((state) => state === 'done'))
    assert.deepEqual([one.mails().length, await one.titles()], [1, []])
    assert.deepEqual(
      heardBy(one.id).map(({ isShown, webhookAt }) => [isShown, webhookAt]),
      [
        [false, null],
        [false, null],
      ],
    )
  })

  it('wait for the end of quiet hours, but not what is urgent; what was read meanwhile is not sent, nor anything to who is shut out', async () => {
    const at = (hours: number): string =>
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).format(
        Date.now() + hours * 3_600_000,
      )
    const quiet = { from: at(-1), to: at(2) }
    const wants = { '*': { email: 'now' } }
    const one = await reader({ notification_channels: wants, quiet_hours: quiet, timezone: zone })
    await one.send('Urgent', { isUrgent: true })
    await server.mailTo(one.email)
    const read = await one.send('Read')
    await one.send('Later')
    const out = await reader({ notification_channels: wants, quiet_hours: quiet, timezone: zone })
    await out.send('For somebody who is shut out meanwhile')
    dataOf(await acme.owner.put(`/tenant/users/${out.id}`, { status: 'disabled' }))
    const waiting = () => jobs('notifications.mail').where({ state: 'delayed' })
    const [first] = await waiting().select('run_at')
    assert.deepEqual(
      heardBy(one.id).map(({ title, isQuiet, webhookAt }) => [
        title,
        isQuiet,
        Date.parse(webhookAt ?? '') > Date.now(),
      ]),
      [
        ['Urgent', false, false],
        ['Read', true, true],
        ['Later', true, true],
      ],
    )
    const inZone = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const
    assert.equal(new Intl.DateTimeFormat('en-GB', inZone).format(first?.run_at), quiet.to)
    dataOf(await one.api.post(`/notifications/${read}/read`))
    await waiting().update({ run_at: new Date() })
    await until(() => one.mails().length === 2)
    for (const kind of ['notifications.mail', 'mail.deliver'])
      await until(async () => (await jobs(kind).pluck('state')).every((state) => state === 'done'))
    assert.deepEqual(out.mails(), [])
    assert.deepEqual(
      one.mails().map(({ headers }) => headers.get('subject')?.split(' · ')[0]),
      ['Urgent', 'Later'],
    )
  })

  it('are one e-mail of all that was not read, for who wants a summary', async () => {
    const one = await reader({ email_digest: 'daily', timezone: zone })
    const read = await one.send('Read')
    for (let n = 1; n <= 11; n += 1) await one.send(`News ${n}`)
    await one.send('See evil.test now', { source: 'plugin.acme.live' })
    dataOf(await one.api.post(`/notifications/${read}/read`))
    const waiting = () => jobs('notifications.digest').where({ state: 'delayed', tenant_id: acme.id })
    const [job, ...others] = await waiting().select('run_at')
    const clock = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    })
    assert.deepEqual([others, clock.format(job?.run_at)], [[], '08:00'])
    await waiting().update({ run_at: new Date() })
    const mail = await server.mailTo(one.email)
    assert.match(mail.headers.get('subject') ?? '', /: 12$/)
    assert.match(mail.text, /· acme\.live: See evil test now\n+· News 11\n+· News 10\n[^]*· News 3\n/)
    assert.doesNotMatch(mail.text, /News 2\b|Read\n/)
    await until(async () => (await jobs('notifications.digest').pluck('state')).every((state) => state === 'done'))
    assert.equal(one.mails().length, 1)
  })

  it('wait for the end of quiet hours summed up too', async () => {
    const inZone = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const
    const clock = new Intl.DateTimeFormat('en-GB', inZone)
    const quiet = { from: clock.format(Date.now() - 3_600_000), to: clock.format(Date.now() + 7_200_000) }
    const one = await reader({ email_digest: 'daily', timezone: zone, quiet_hours: quiet })
    await one.send('News')
    const waiting = () => jobs('notifications.digest').where({ state: 'delayed', tenant_id: acme.id })
    await waiting().update({ run_at: new Date() })
    await until(async () => clock.format((await waiting().first('run_at'))?.run_at) === quiet.to)
    assert.deepEqual(one.mails(), [])
    await waiting().delete()
  })

  it('are none for what is muted, a plugin or a kind; what is urgent comes all the same', async () => {
    const one = await reader({
      notification_muted: ['plugin.acme.live', 'system.news'],
      notification_channels: { '*': { email: 'now' } },
    })
    await one.send('a', { source: 'plugin.acme.live' })
    await one.send('b', { source: 'plugin.acme.live', kind: 'plugin.acme.live.book' })
    await one.send('c', { kind: 'system.news' })
    await one.send('d', { kind: 'system.other', isUrgent: true })
    await server.mailTo(one.email)
    assert.deepEqual([await one.titles(), heardBy(one.id).map(({ title }) => title)], [['d'], ['d']])
    const nobody = await reader({ notification_muted: ['*'] })
    await nobody.send('e')
    await nobody.send('f', { isUrgent: true })
    assert.deepEqual(await nobody.titles(), ['f'])
    assert.deepEqual(dataOf(await one.api.get('/notifications/kinds'))['items'], [
      {
        kind: 'system.other',
        source: 'system',
        received: 1,
        last_at: heardAt(dataOf(await one.api.get('/notifications'))),
      },
    ])
  })

  it('say what a plugin said in an e-mail of ours only where it is no link', async () => {
    const one = await reader({ notification_channels: { 'plugin.acme.live': { email: 'now' } } })
    await one.send('Go to https://evil.test', { source: 'plugin.acme.live', body: 'Your book is back' })
    const mail = await server.mailTo(one.email)
    assert.match(mail.headers.get('subject') ?? '', /^A notification at /)
    assert.match(mail.text, /acme\.live[^]*Your book is back/)
    assert.doesNotMatch(mail.text, /evil/)
  })

  it('are twenty e-mails an hour, and the list keeps the rest', async () => {
    const one = await reader({ notification_channels: { '*': { email: 'now' } } })
    for (let n = 0; n < 22; n += 1) await one.send(`n${n}`)
    await until(() => one.mails().length === 20)
    await until(async () => (await jobs('notifications.mail').pluck('state')).every((state) => state === 'done'))
    assert.deepEqual([one.mails().length, (await one.titles()).length], [20, 20])
    assert.equal(dataOf(await one.api.get('/notifications'))['total'], 22)
  })

  it('are refused where they are no ways', async () => {
    const one = await reader({})
    const wrong = [
      { notification_channels: { system: { sms: true } } },
      { notification_channels: { 'a b': { app: true } } },
      { notification_channels: { system: { email: true } } },
      { notification_muted: 'system' },
      { quiet_hours: { from: '24:00', to: '07:00' } },
      { quiet_hours: { from: '22:00' } },
    ]
    for (const each of wrong) assert.equal((await one.api.patch('/preferences', each)).body['code'], 4222)
  })
})

function heardAt({ items }: Body): unknown {
  return (items as unknown as Body[])[0]?.['created_at']
}
