import assert from 'node:assert/strict'
import { codeOf, configure, findUser } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import type { Logger } from '#kernel'
import { silentLog } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

interface Sent {
  readonly template: string
  readonly to: string
  readonly text: string
}

/** A log that keeps the messages which the driver of a new platform writes into it. */
function messageLog(): { readonly log: Logger; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const write = (fields: object, message: string) => {
    if (message === 'a message') sent.push(fields as Sent)
  }
  const log: Logger = { ...silentLog, info: write, warn: write, child: () => log }
  return { log, sent }
}

describe('the places that users sign in from', () => {
  const { log, sent } = messageLog()
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ log })
    acme = await platform.createTenant('acme')
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  after(() => platform[Symbol.asyncDispose]())

  const login = (email: string, address: string, agent = 'Browser') =>
    platform.test.api.post(
      '/auth/login/json',
      { email, password: testPassword, tenant_code: 'acme' },
      { headers: { 'x-forwarded-for': address, 'user-agent': agent } },
    )
  const noticesTo = (email: string) => sent.filter(({ to, template }) => to === email && template === 'new_device')
  async function security(email: string, rules: object): Promise<void> {
    const { id } = await platform.createUser(acme, email, ['tenant_user'])
    const api = await platform.signIn(acme.id, id)
    const answer = await api.patch('/tenant/users/security', { login_security: rules })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }

  it('are told when they are new, to who wants to know', async () => {
    await security('told@acme.test', { notify_new_device: true })
    await security('quiet@acme.test', { notify_new_device: false })
    for (const email of ['told@acme.test', 'quiet@acme.test']) {
      await login(email, '198.51.100.1')
      await login(email, '198.51.100.1')
      await login(email, '198.51.100.2')
      await login(email, '198.51.100.2', 'Another browser')
      await login(email, '198.51.100.1')
    }
    await until(() => noticesTo('told@acme.test').length >= 2)
    const texts = noticesTo('told@acme.test').map(({ text }) => text)
    assert.deepEqual(
      [texts.map((text) => text.includes('198.51.100.2')), noticesTo('quiet@acme.test').length],
      [[true, true], 0],
    )
  })

  it('are limited to as many at once as the user wants', async () => {
    await security('two@acme.test', { session_max_devices: 2 })
    const tokens: unknown[] = []
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      tokens.push((await login('two@acme.test', address)).body['data']?.['access_token'])
    }
    const answers = await Promise.all(tokens.map((token) => platform.test.api.as(token).get('/auth/me')))
    assert.deepEqual(answers.map(codeOf), [
      [401, 4014],
      [200, 0],
      [200, 0],
    ])
  })

  it('and copies of refresh tokens are told about', async () => {
    await platform.createUser(acme, 'copied@acme.test', ['tenant_user'])
    const { body } = await login('copied@acme.test', '198.51.100.1')
    const refresh = (refresh_token: unknown) => platform.test.api.post('/auth/refresh', { refresh_token })
    const first = body['data']?.['refresh_token']
    const second = await refresh(first)
    await refresh(second.body['data']?.['refresh_token'])
    const reused = await refresh(first)
    await until(() => sent.some(({ to, template }) => to === 'copied@acme.test' && template === 'refresh_reused'))
    assert.deepEqual(codeOf(reused), [401, 4016])
  })

  it('are forgotten with the user', async () => {
    const { id } = await platform.createUser(acme, 'gone@acme.test', ['tenant_user'])
    await login('gone@acme.test', '198.51.100.1')
    const count = async (table: string) =>
      platform.test.kernel.database.knex(table).where('user_id', id).queryContext({ tenant: acme.id })
    const before = [(await count('auth_known_devices')).length, (await count('auth_sessions')).length]
    assert.equal((await findUser(platform, acme.id, id)).id, id)
    await acme.owner.delete(`/tenant/users/${id}`)
    const after = [(await count('auth_known_devices')).length, (await count('auth_sessions')).length]
    assert.deepEqual(
      [before, after],
      [
        [1, 2],
        [0, 0],
      ],
    )
  })
})
