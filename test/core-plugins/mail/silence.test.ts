import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { SmtpDriver } from '../../../core-plugins/mail/drivers/smtp-driver.ts'
import { startSmtpServer } from '../../support/smtp-server.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { codeTo } from './world.ts'

const text = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', sms: 'Hello', sender: 'Stoa' }

describe('an SMTP server that accepts and says nothing', () => {
  it('ends a phase by its limit, and a delivery by its own', async () => {
    await using server = await startSmtpServer()
    await using proxy = await startTcpProxy({ port: server.port })
    const settings = { host: '127.0.0.1', port: proxy.port, security: 'none', user: '', password: '' } as const
    const open = (phaseMs?: number): SmtpDriver =>
      new SmtpDriver(
        { ...settings, from: 'stoa@stoa.test' },
        (host, port) => Promise.resolve(connect(port, host)),
        phaseMs,
      )
    const delivery = { id: '1', message: codeTo('mina@example.test'), text }
    proxy.swallow()
    using hasty = open(200)
    await assert.rejects(hasty.deliver(delivery, new AbortController().signal), { code: 5025 })
    using patient = open(3_600_000)
    await assert.rejects(patient.deliver(delivery, AbortSignal.timeout(300)), { code: 5025 })
    assert.equal(server.attempts, 0)
  })
})
