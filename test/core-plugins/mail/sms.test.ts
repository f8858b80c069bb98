import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { tenantToken } from '../../support/plain-identity.ts'
import { until } from '../../support/until.ts'
import { startGateway, type Gateway } from './gateway.ts'
import { codeTo, startMailWorld, type MailWorld } from './world.ts'

const secret = 'the secret of the gateway'

describe('a text message', () => {
  let gateway: Gateway
  let world: MailWorld

  beforeEach(async () => {
    gateway = await startGateway()
    world = await startMailWorld(undefined, { env: { EGRESS_ALLOW_PRIVATE: gateway.address } })
    await configure(gateway.url)
  })
  afterEach(async () => {
    await world[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  const configure = (url: string) =>
    world.configure('platform_sms', { sms_driver: 'webhook', sms_webhook_url: url, sms_webhook_secret: secret })
  const send = (change = {}) => world.sender.send(codeTo('+49 170 1234567', { channel: 'sms', ...change }))
  const failure = async (): Promise<unknown> => {
    await until(async () => (await world.outbox())[0]?.error != null)
    const [row] = await world.outbox()
    return [row?.state, row?.error]
  }

  it('is handed to the webhook, whole and signed', async () => {
    await send({ values: { code: '123456', minutes: 5 }, locale: 'zh-CN' })
    await until(async () => gateway.requests.length === 1 && (await world.outbox()).length === 0)
    const [{ method, headers, body } = assert.fail()] = gateway.requests
    assert.deepEqual(
      [method, headers['content-type'], JSON.parse(body)],
      [
        'POST',
        'application/json',
        {
          to: '+491701234567',
          text: '【AI Platform】登录验证码 123456。5 分钟内有效。请勿告知他人。',
          template: 'login_code',
          values: { code: '123456', minutes: 5 },
          tenant_id: 5,
        },
      ],
    )
    const timestamp = String(headers['x-stoa-timestamp'])
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 10)
    const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    assert.equal(headers['x-stoa-signature'], `sha256=${expected}`)
    assert.match(String(headers['x-stoa-message-id']), /^[0-9a-f-]{36}$/)
  })

  it('is short in English, too', async () => {
    await send({ values: { code: '123456', minutes: 5, tenant: 'Acme' }, locale: 'en' })
    await until(() => gateway.requests.length === 1)
    const { text } = JSON.parse(gateway.requests[0]?.body ?? '{}') as { text: string }
    assert.equal(text, '[Acme] 123456 is your sign-in code. Valid for 5 min. Do not share it.')
  })

  it('comes again under its id when the gateway fails, and not when it refuses', async () => {
    gateway.status = 503
    await send()
    assert.deepEqual(await failure(), [
      'queued',
      'mail_or_sms_error: The message could not be sent: the webhook answered 503',
    ])
    gateway.status = 422
    await world.passTime()
    await until(async () => (await world.outbox())[0]?.state === 'failed')
    assert.deepEqual(await failure(), ['failed', 'message_refused: The message was refused: the webhook answered 422'])
    assert.equal(new Set(gateway.requests.map(({ headers }) => headers['x-stoa-message-id'])).size, 1)
  })

  it('comes again under its id when the gateway hangs, once its time is over and never beside itself', async () => {
    gateway.isSilent = true
    await send()
    await until(() => gateway.requests.length === 1)
    // Others go on, and whoever looks for more finds that this one is on its way.
    gateway.isSilent = false
    await send({ to: '+49 170 7654321' })
    await until(() => gateway.requests.length === 2)
    await until(async () => (await world.outbox()).some(({ error }) => error !== null), 60_000)
    const [row, ...others] = await world.outbox()
    const { state, attempts, error } = row ?? assert.fail('nothing is kept')
    assert.deepEqual([others, state, attempts, gateway.requests.length], [[], 'queued', 1, 2])
    assert.match(String(error), /^mail_or_sms_error: The message could not be sent: /)
    await world.passTime()
    await until(async () => (await world.outbox()).length === 0)
    const ids = gateway.requests.map(({ headers }) => headers['x-stoa-message-id'])
    assert.deepEqual([ids.length, ids[0] === ids[2], new Set(ids).size], [3, true, 2])
  })

  it('follows no redirect', async () => {
    gateway.status = 302
    await send()
    assert.deepEqual(await failure(), [
      'queued',
      'mail_or_sms_error: The message could not be sent: the webhook answered 302',
    ])
    assert.equal(gateway.requests.length, 1)
  })

  it('never goes to an address that is not public, unless the operator allowed it', async () => {
    await using near = await startGateway()
    await configure(near.url)
    await send()
    const words = 'mail_or_sms_error: The message could not be sent: The host is not on the public internet'
    assert.deepEqual([await failure(), near.requests.length], [['queued', words], 0])
  })

  it('that is a notice stays away until the tenant wants it', async () => {
    await send({ template: 'new_device', values: { ip: '203.0.113.7' } })
    await send()
    await until(async () => (await world.outbox()).length === 0)
    await world.configureTenant('tenant_feature', { sms_notification: true })
    await send({ template: 'new_device', values: { ip: '203.0.113.7' } })
    await until(async () => (await world.outbox()).length === 0)
    const sent = gateway.requests.map(({ body }) => (JSON.parse(body) as { template: string }).template)
    assert.deepEqual(sent, ['login_code', 'new_device'])
  })

  it('cannot leave without an address and a secret', async () => {
    assert.equal(await world.sender.canSend('sms'), true)
    await world.configure('platform_sms', { values: {}, reset: ['sms_webhook_secret'] })
    assert.equal(await world.sender.canSend('sms'), false)
    await send()
    const words = 'The message could not be sent: the webhook or its secret is not configured'
    assert.deepEqual(await failure(), ['queued', `mail_or_sms_error: ${words}`])
  })

  it('is a way to sign in only where it can leave', async () => {
    const owner = world.host.api.as(tenantToken(5, 'tenant_config:*'))
    const allow = () => owner.put('/tenant/configs/groups/tenant_login', { login_methods: ['password', 'sms_code'] })
    await world.configure('platform_sms', { values: {}, reset: ['sms_webhook_secret'] })
    const refused = await allow()
    const errors = refused.body['errors'] as unknown as readonly { field: string; rule: string }[]
    await configure(gateway.url)
    assert.deepEqual(
      [refused.status, errors.map(({ field, rule }) => [field, rule]), (await allow()).status],
      [422, [['login_methods', 'sms_driver']], 200],
    )
  })
})
