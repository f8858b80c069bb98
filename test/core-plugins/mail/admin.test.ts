import assert from 'node:assert/strict'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { codeTo, startMailWorld, type MailWorld } from './world.ts'

const path = '/admin/mail/test'

describe('POST /admin/mail/test', () => {
  let server: SmtpServer
  let world: MailWorld

  beforeEach(async () => {
    server = await startSmtpServer({ login: { user: 'stoa', password: 'the right one' } })
    world = await startMailWorld(server)
  })
  afterEach(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  it('sends a message in the administrator’s language, at once, and tells the audit log', async () => {
    const body = { to: 'admin@example.test', channel: 'email' }
    const answer = await world.admin.post(path, body, { headers: { 'accept-language': 'zh-CN' } })
    assert.deepEqual(dataOf(answer), { ok: true })
    assert.deepEqual(
      server.mails.map(({ to, headers }) => [to[0], headers.get('subject')]),
      [['admin@example.test', 'AI Platform 测试消息']],
    )
    const auditor = world.host.api.as(platformToken('platform_audit:list'))
    const { items } = dataOf(await auditor.get('/admin/audit-logs?action=mail.tested')) as unknown as {
      items: readonly { action: string; target: string; after: object }[]
    }
    assert.deepEqual(
      items.map(({ action, target, after }) => ({ action, target, after })),
      [{ action: 'mail.tested', target: 'mail:email', after: { to: 'a***@example.test', ok: true } }],
    )
  })

  it('tells what went wrong, without a secret', async () => {
    const password = 'the wrong one'
    await world.configure('platform_mail', { smtp_password: password })
    const body = { to: 'admin@example.test', channel: 'email' }
    const wrong = dataOf(await world.admin.post(path, body))
    assert.equal(wrong['ok'], false)
    assert.match(JSON.stringify(wrong), /535 Authentication failed/)
    assert.equal(JSON.stringify(wrong).includes(password), false)
    await world.configure('platform_mail', { smtp_host: '' })
    assert.deepEqual(dataOf(await world.admin.post(path, body)), { ok: false, error: 'The driver is not configured' })
    assert.deepEqual(await world.outbox(), [])
  })

  it('takes one recipient of the channel, from administrators who may change the configuration, five times a minute', async () => {
    const body = { to: 'admin@example.test', channel: 'email' }
    const as = (token: string) => world.host.api.as(token).post(path, body)
    assert.deepEqual(
      [await as(platformToken('platform_config:detail')), await as(tenantToken(5, '*:*'))].map(refusalOf),
      [
        { status: 403, code: 4031, reason: 'permission_denied' },
        { status: 403, code: 4033, reason: 'scope_mismatch' },
      ],
    )
    const bodies = [
      { to: 'a@b.test, c@d.test', channel: 'email' },
      { to: 'mina@example.test', channel: 'sms' },
      { to: 'mina@example.test', channel: 'fax' },
      { to: 'mina@example.test' },
    ]
    const refused = await Promise.all(bodies.map((each) => world.admin.post(path, each)))
    const fields = refused.map(({ status, body }) => [status, body['code'], body['errors']?.['0']?.['field']])
    assert.deepEqual(fields, [
      [422, 4220, 'to'],
      [422, 4220, 'to'],
      [422, 4220, 'channel'],
      [422, 4220, 'channel'],
    ])
    const chinese = { headers: { 'accept-language': 'zh-CN' } }
    const { body: told } = await world.admin.post(path, { to: '12', channel: 'sms' }, chinese)
    assert.deepEqual([told['reason'], told['message']], ['recipient_invalid', '收件人无效'])
    assert.deepEqual(refusalOf(await world.admin.post(path, body)), { status: 429, code: 4290, reason: 'rate_limited' })
  })
})

describe('without a mail server', () => {
  it('a developer finds the whole message in the log', async () => {
    await using world = await startMailWorld()
    assert.deepEqual([await world.sender.canSend('email'), await world.sender.canSend('sms')], [true, true])
    await world.sender.send(codeTo('mina@example.test'))
    await world.sender.send(codeTo('+491701234567', { channel: 'sms' }))
    const written = () => world.lines.filter(({ message }) => message === 'a message')
    await until(() => written().length === 2)
    const texts = written().map(({ level, fields }) => [level, fields['to'], /123456/.test(String(fields['text']))])
    assert.deepEqual(texts.sort(), [
      ['warn', '+491701234567', true],
      ['warn', 'mina@example.test', true],
    ])
  })

  it('an operator is warned, and no secret and no address is written', async () => {
    await using world = await startMailWorld(undefined, { env: { NODE_ENV: 'production' } })
    assert.deepEqual([await world.sender.canSend('email'), await world.sender.canSend('sms')], [false, false])
    await world.sender.send(codeTo('mina@example.test'))
    const warning = () => world.lines.find(({ message }) => message.startsWith('a message goes nowhere'))
    await until(() => warning() !== undefined)
    const { level, fields } = warning() ?? assert.fail()
    const expected = { channel: 'email', template: 'login_code', tenant_id: 5, to: 'm***@example.test' }
    assert.deepEqual([level, fields], ['warn', expected])
    await until(async () => (await world.outbox()).length === 0)
    const answer = await world.admin.post(path, { to: 'a@example.test', channel: 'email' })
    assert.deepEqual(dataOf(answer), { ok: false, error: 'The driver is not configured' })
  })
})
