import assert from 'node:assert/strict'
import type { MessageTemplate } from '../../../core-plugins/mail/contract.ts'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { codeTo, startMailWorld, type MailWorld } from './world.ts'

const templates: Readonly<Record<MessageTemplate, readonly [english: string, chinese: string]>> = {
  login_code: ['Your sign-in code for Acme', 'Acme 登录验证码'],
  reset_code: ['Your code to reset the password for Acme', 'Acme 重置密码验证码'],
  reset_link: ['Reset your password for Acme', '重置您的 Acme 密码'],
  verify_email: ['Confirm your e-mail address for Acme', '验证您的 Acme 邮箱'],
  address_taken: ['You have an account with Acme', '您已有 Acme 的账号'],
  number_taken: ['Your telephone number was given to Acme', '有人使用您的手机号注册 Acme'],
  invitation: ['You are invited to Acme', '邀请您加入 Acme'],
  registration_approved: ['Your registration with Acme is approved', '您在 Acme 的注册已通过'],
  registration_rejected: ['Your registration with Acme', '您在 Acme 的注册结果'],
  password_changed: ['Your password for Acme was changed', '您的 Acme 密码已修改'],
  new_device: ['New sign-in to Acme', 'Acme 新设备登录提醒'],
  refresh_reused: ['A session at Acme was ended for your safety', '为保护您的账号，Acme 的一个会话已结束'],
  domain_failed: ['A domain of Acme is not verified any more', 'Acme 的域名验证已失效'],
  domain_superseded: ['A domain of Acme was taken over', 'Acme 的域名已被其他租户验证'],
  domain_unbound: ['A domain of Acme was unbound', 'Acme 的域名已解除绑定'],
  delivery_changed: ['How Acme sends messages was changed', 'Acme 的消息发送方式已更改'],
  links_changed: ['Links in messages of Acme lead elsewhere now', 'Acme 消息中的链接已指向新的域名'],
  ai_alert: ['An AI alert at Acme', 'Acme AI 告警'],
  ai_alert_over: ['An AI alert at Acme is over', 'Acme AI 告警已解除'],
  notification: ['A notification at Acme', 'Acme 有一条通知'],
  notification_digest: ['Unread notifications at Acme', 'Acme 有未读通知'],
  plugin_mail: ['A message at Acme', 'Acme 有一条消息'],
  ai_report: ['A report of AI usage at Acme', 'Acme AI 用量报告'],
  test: ['Test message from Acme', 'Acme 测试消息'],
}
const values = {
  ...{ code: '135790', link: 'https://acme.test/reset?a=1&b=2', minutes: 30, hours: 24, days: 7, ip: '203.0.113.7' },
  ...{ device: 'Firefox on Linux', time: '2026-03-01T08:30:00.000Z', nickname: 'Mina <b>', tenant: 'Acme' },
  ...{ inviter: 'Olga', reason: 'Unknown company', domain: 'app.acme.test', writer: 'olga@acme.test', alert: 'errors' },
  ...{ metric: 'error_rate', value: 0.4, report: 'November' },
}

describe('the texts of messages', () => {
  let server: SmtpServer
  let world: MailWorld

  before(async () => {
    server = await startSmtpServer()
    world = await startMailWorld(server)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  for (const [template, subjects] of Object.entries(templates) as [MessageTemplate, readonly string[]][]) {
    it(`of ${template} are whole in both languages, as text and as HTML, with and without their values`, async () => {
      for (const [index, locale] of ['en', 'zh-CN'].entries()) {
        const to = `${template}.${index}@example.test`
        const message = codeTo(to, { template, values, locale })
        await world.sender.send(message)
        await world.sender.send({ ...message, to: `bare.${to}`, values: { tenant: 'Acme' } })
        const [full, bare] = [await server.mailTo(to), await server.mailTo(`bare.${to}`)]
        assert.deepEqual(
          [full, bare].map(({ headers }) => headers.get('subject')),
          Array(2).fill(subjects[index]),
        )
        for (const { text, html } of [full, bare]) {
          assert.equal(/[{}]|undefined|null/.test(text + html.replace(/style="[^"]*"/g, '')), false)
          assert.equal(html.includes(`<html lang="${locale}">`), true)
        }
        assert.match(full.text, /Mina <b>/)
        assert.match(full.html, /Mina &lt;b&gt;/)
        assert.match(full.text, /Acme · AI Platform\n$/)
      }
    })
  }

  it('show a link as words and as a link, escaped', async () => {
    await world.sender.send(codeTo('link@example.test', { template: 'reset_link', values }))
    const { text, html } = await server.mailTo('link@example.test')
    assert.match(text, /^https:\/\/acme\.test\/reset\?a=1&b=2$/m)
    const escaped = 'https://acme.test/reset?a=1&amp;b=2'
    assert.equal(html.includes(`<a href="${escaped}">${escaped}</a>`), true)
  })

  it('are in the reader’s language, else the tenant’s, else the platform’s', async () => {
    const subject = async (to: string, locale?: string): Promise<string | undefined> => {
      await world.sender.send(codeTo(to, { locale }))
      return (await server.mailTo(to)).headers.get('subject')
    }
    const [english, chinese] = ['Your sign-in code for AI Platform', 'AI Platform 登录验证码']
    assert.equal(await subject('one@example.test'), english)
    await world.configure('platform_basic', { default_locale: 'zh-CN' })
    assert.equal(await subject('two@example.test'), chinese)
    await world.configureTenant('tenant_basic', { locale: 'en' })
    assert.equal(await subject('three@example.test'), english)
    assert.equal(await subject('four@example.test', 'zh-Hans'), chinese)
    assert.equal(await subject('five@example.test', 'de'), english)
    await world.configure('platform_basic', { default_locale: 'en' })
  })

  it('tell a time in the tenant’s zone', async () => {
    await world.configureTenant('tenant_basic', { timezone: 'Asia/Shanghai' })
    await world.sender.send(codeTo('time@example.test', { template: 'new_device', values, locale: 'en' }))
    assert.match((await server.mailTo('time@example.test')).text, /Time: Mar 0?1, 2026, 16:30 GMT\+8/)
  })

  it('that are notices stay away where the tenant wants none, codes never', async () => {
    await world.configureTenant('tenant_feature', { email_notification: false })
    await world.sender.send(codeTo('quiet@example.test', { template: 'new_device' }))
    await world.sender.send(codeTo('code@example.test'))
    await world.sender.send(codeTo('platform@example.test', { tenantId: 0, template: 'new_device' }))
    await server.mailTo('code@example.test')
    await server.mailTo('platform@example.test')
    await until(async () => (await world.outbox()).length === 0)
    assert.equal(
      server.mails.some(({ to }) => to.includes('quiet@example.test')),
      false,
    )
    await world.configureTenant('tenant_feature', { email_notification: true })
    await world.sender.send(codeTo('loud@example.test', { template: 'new_device' }))
    await server.mailTo('loud@example.test')
  })
})
