import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { errorsOf, itemsOf } from '../../support/configuration.ts'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { startMailWorld, type MailWorld } from '../mail/world.ts'

const login = { user: 'stoa', password: 'the right one' }

describe('attack: having a stored secret sent elsewhere', () => {
  let own: SmtpServer
  let evil: SmtpServer
  let world: MailWorld

  before(async () => {
    own = await startSmtpServer({ login })
    evil = await startSmtpServer({ login })
    world = await startMailWorld(own)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await Promise.all([own, evil].map((server) => server[Symbol.asyncDispose]()))
  })

  const put = (values: object): Promise<Answer> => world.admin.put('/admin/configs/groups/platform_mail', values)
  const trial = () => world.admin.post('/admin/mail/test', { to: 'somebody@example.test', channel: 'email' })

  it('is refused for the password of a mail server, unless it is given again or cleared', async () => {
    const answers = [
      await put({ smtp_port: evil.port }),
      await put({ smtp_host: 'localhost', smtp_password: '********' }),
      await put({ values: {}, reset: ['smtp_security'] }),
      await put({ smtp_port: evil.port, smtp_password: '' }),
    ]
    await trial()
    assert.deepEqual(answers.map(errorsOf), [
      ...Array<unknown>(3).fill([422, 4222, ['smtp_password bound']]),
      [200, 0, []],
    ])
    assert.deepEqual([evil.logins, itemsOf(answers[3] as Answer)['smtp_password']?.['value']], [0, ''])
    const back = await put({ smtp_port: own.port, smtp_password: login.password })
    assert.deepEqual([errorsOf(back), (await trial()).body['data']], [[200, 0, []], { ok: true }])
  })

  it('is refused for what signs text messages', async () => {
    const sms = (values: object) => world.admin.put('/admin/configs/groups/platform_sms', values)
    await sms({ sms_webhook_url: 'https://sms.example/in', sms_webhook_secret: 'a secret' })
    const moved = await sms({ sms_webhook_url: 'https://evil.example/in' })
    assert.deepEqual(errorsOf(moved), [422, 4222, ['sms_webhook_secret bound']])
  })

  it('does not reach a private address that the operator does not allow, by number or by name', async () => {
    await using closed = await startMailWorld(own, { env: { EGRESS_ALLOW_PRIVATE: '' } })
    const send = () => closed.admin.post('/admin/mail/test', { to: 'somebody@example.test', channel: 'email' })
    const before = own.mails.length
    const byNumber = await send()
    await closed.configure('platform_mail', { smtp_host: 'localhost', smtp_password: login.password })
    const byName = await send()
    assert.deepEqual(
      [byNumber, byName].map(({ body }) => body['data']?.['ok']),
      [false, false],
    )
    assert.match(JSON.stringify([byNumber.body, byName.body]), /not on the public internet.*not on the public internet/)
    assert.equal(own.mails.length, before)
  })
})
