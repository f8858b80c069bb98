// @any-back-end
import assert from 'node:assert/strict'
import { startSmtpServer } from '../../support/smtp-server.ts'
import { makeCertificate, type TestCertificate } from './certificate.ts'
import { createSharedHome } from './host-process.ts'
import { startMailWorld, type MailWorld } from './world.ts'

const login = { user: 'stoa', password: 'the password of the relay' }

describe('the connection to an SMTP server', () => {
  let certificate: TestCertificate
  let world: MailWorld

  before(async () => {
    certificate = await makeCertificate()
    world = await startMailWorld()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await certificate[Symbol.asyncDispose]()
  })

  const test = async (): Promise<{ ok: boolean; error?: string }> => {
    const answer = await world.admin.post('/admin/mail/test', { to: 'a@example.test', channel: 'email' })
    return answer.body['data'] as unknown as { ok: boolean; error?: string }
  }

  for (const implicit of [false, true]) {
    it(`is encrypted with ${implicit ? 'TLS' : 'STARTTLS'} where the certificate verifies`, async () => {
      await using server = await startSmtpServer({ login, tls: { ...certificate, implicit } })
      await using home = await createSharedHome()
      await (await startMailWorld(server, home.options))[Symbol.asyncDispose]()
      await using host = home.spawnHost('safe@example.test', { NODE_EXTRA_CA_CERTS: certificate.file })
      const mail = await server.mailTo('safe@example.test')
      assert.deepEqual([mail.secure, mail.user], [true, 'stoa'])
      await host.kill()
    })

    it(`says no word with ${implicit ? 'TLS' : 'STARTTLS'} where it does not`, async () => {
      await using server = await startSmtpServer({ login, tls: { ...certificate, implicit } })
      await world.configure('platform_mail', server.settings)
      const { ok, error } = await test()
      assert.equal(ok, false)
      assert.match(error ?? '', /certificate/)
      assert.deepEqual([server.attempts, server.logins], [0, 0])
    })
  }

  it('is refused where STARTTLS was asked for and the server has none', async () => {
    await using server = await startSmtpServer({ login })
    await world.configure('platform_mail', { ...server.settings, smtp_security: 'starttls' })
    const { ok, error } = await test()
    assert.equal(ok, false)
    assert.match(error ?? '', /STARTTLS/)
    assert.deepEqual([server.attempts, server.logins], [0, 0])
  })
})
