import assert from 'node:assert/strict'
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { codeTo, startMailWorld, type MailWorld } from './world.ts'
import { badAddresses, badNames, badNumbers } from './injection-cases.ts'

describe('what strangers put into messages', () => {
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
  afterEach(() => world.configure('platform_basic', { site_name: 'AI Platform' }))

  it(`is refused where it is none of one address: ${badAddresses.length} ways to name several, or a header`, async () => {
    for (const [channel, list] of [
      ['email', badAddresses],
      ['sms', badNumbers],
    ] as const) {
      for (const to of list) {
        await world.sender.send(codeTo(to, { channel }))
      }
    }
    const count = badAddresses.length + badNumbers.length
    await until(async () => (await world.outbox()).filter(({ state }) => state === 'failed').length === count)
    const errors = new Set((await world.outbox()).map(({ error }) => error))
    const words = 'message_refused: The message was refused: the recipient is no single address'
    assert.deepEqual([[...errors], server.attempts], [[words], 0])
    assert.equal(
      world.lines.some(({ message }) => message === 'a message'),
      false,
    )
  })

  it('adds no header and no line, as a name of a reader, a device or a tenant', async () => {
    for (const [index, name] of badNames.entries()) {
      const to = `name${index}@example.test`
      const values = { code: '1', nickname: name, device: name, tenant: name, time: name, ip: name }
      await world.sender.send(codeTo(to, { template: 'new_device', values }))
      const { headers, to: recipients, text } = await server.mailTo(to)
      assert.deepEqual([recipients, headers.get('to'), headers.get('from')], [[to], to, 'AI Platform <stoa@stoa.test>'])
      assert.deepEqual([headers.has('bcc'), headers.has('x-evil'), headers.has('cc')], [false, false, false])
      assert.equal(/^(bcc|x-evil|cc):/im.test(text), false)
      assert.doesNotMatch((headers.get('subject') ?? '') + text, /[\u202a-\u202e\u2028]/)
    }
  })

  it('adds no header as the name of the site', async () => {
    for (const [index, name] of badNames.entries()) {
      const { status } = await world.admin.put('/admin/configs/groups/platform_basic', { site_name: name })
      // What no database can keep goes no further.
      if (/\0|\ud800/.test(name)) assert.equal(status, 400)
      else assert.equal(status, 200)
      const to = `site${index}@example.test`
      await world.sender.send(codeTo(to))
      const { headers, from } = await server.mailTo(to)
      assert.equal(from, 'stoa@stoa.test')
      assert.deepEqual([headers.has('bcc'), headers.has('x-evil'), headers.has('cc')], [false, false, false])
      assert.match(headers.get('from') ?? '', /<stoa@stoa\.test>$/)
    }
  })

  it('is no HTML, no link and no placeholder', async () => {
    const values = {
      nickname: '<img src=x onerror=alert(1)>',
      device: '"><a href="/evil">{code}</a>',
      ip: "'--><script>",
      link: 'javascript:alert(1)',
      code: '424242',
    }
    await world.sender.send(codeTo('html@example.test', { template: 'new_device', values }))
    const notice = await server.mailTo('html@example.test')
    assert.equal(/<(img|a|script)\b/i.test(notice.html), false)
    assert.match(notice.text, /\{code\}/)
    await world.sender.send(codeTo('js@example.test', { template: 'reset_link', values }))
    assert.equal(/href/i.test((await server.mailTo('js@example.test')).html), false)
  })

  it('greets nobody by a name that reads as a link', async () => {
    const names = ['https://evil.test', 'You won: evil.test/prize', 'www.evil.example', 'ünïcode.example']
    for (const [index, nickname] of names.entries()) {
      const to = `spam${index}@example.test`
      await world.sender.send(codeTo(to, { values: { code: '1', nickname } }))
      const { text } = await server.mailTo(to)
      assert.match(text, /^Hello,\n/)
    }
  })

  it('names no device, no inviter and nothing of a plugin’s that reads as a link', async () => {
    for (const [index, lure] of ['evil.test/win', 'https://evil.test'].entries()) {
      const values = { nickname: 'Mina', device: lure, inviter: lure, plugin: 'acme.live', told_title: lure }
      for (const template of ['new_device', 'invitation', 'notification', 'plugin_mail'] as const) {
        const to = `${template}${index}@example.test`
        const more = { told_body: lure, mail_subject: lure, mail1: lure, link: 'https://acme.test/a' }
        await world.sender.send(codeTo(to, { template, values: { ...values, ...more } }))
        const { headers, text, html } = await server.mailTo(to)
        assert.doesNotMatch((headers.get('subject') ?? '') + text + html, /evil/, template)
      }
    }
  })

  it('cannot read a file or fetch an address', async () => {
    const values = { code: '{"path":"/etc/passwd"}', nickname: 'data:text/plain,x', tenant: 'file:///etc/passwd' }
    await world.sender.send(codeTo('file@example.test', { values }))
    const { text } = await server.mailTo('file@example.test')
    assert.equal(text.includes('{"path":"/etc/passwd"}'), true)
    assert.equal(text.includes('root:'), false)
  })
})
