// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { sessions, sessionRevoked } from '../../../core-plugins/auth/contract.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { codeOf, issueSession, runningKernel } from '../../support/auth.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

const secret = randomBytes(32).toString('base64url')
const env = { JWT_KEYS: `k1:${secret}`, APP_SECRET: secret, PUBLIC_URL: 'http://stoa.test' }

describe('sessions', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const issue = (tenant: TestTenant) => issueSession(platform, tenant.id, tenant.ownerId)
  const me = (token: string) => platform.test.api.as(token).get('/auth/me')
  const refresh = (token: string, path = '/auth/refresh') => platform.test.api.post(path, { refresh_token: token })

  it('end with a sign-out, by either token, of one session or all', async () => {
    const [one, two, three] = [await issue(acme), await issue(acme), await issue(acme)]
    const logout = (token: string | undefined, body?: object) => platform.test.api.post('/auth/logout', body, { token })
    const answers = [
      await logout(one.access),
      await logout(undefined, { refresh_token: two.refresh }),
      await logout(undefined, { refresh_token: 'rt_made_up' }),
      await logout(undefined),
      await logout(three.access, { all: true }),
    ]
    const after = await Promise.all([one, two, three].map(({ access }) => me(access)))
    assert.deepEqual(
      answers.slice(0, 4).map(({ body }) => body['data']?.['revoked'] ?? body['code']),
      [1, 1, 4010, 4010],
    )
    assert.equal(Number(answers[4]?.body['data']?.['revoked']) >= 1, true)
    assert.deepEqual(after.map(codeOf), Array(3).fill([401, 4014]))
    assert.deepEqual(codeOf(await refresh(one.refresh)), [401, 4015])
    acme = { ...acme, owner: await platform.signIn(acme.id, acme.ownerId) }
  })

  it('of another door’s refresh or of one that is over end nothing', async () => {
    const [living, idle, exchanged] = [await issue(acme), await issue(acme), await issue(acme)]
    await refresh(exchanged.refresh)
    const logout = (path: string, token: string) =>
      platform.test.api.post(`${path}/auth/logout`, { refresh_token: token, all: true })
    await platform.test.kernel.database
      .knex('auth_sessions')
      .queryContext({ tenant: acme.id })
      .where('id', idle.id)
      .update({ idle_expires_at: new Date() })
    const answers = [
      await logout('', idle.refresh),
      await logout('/admin', living.refresh),
      await platform.test.api.post('/admin/auth/logout', {}, { token: living.access }),
      await me(living.access),
      await logout('/tenant', exchanged.refresh),
      await logout('/tenant', living.refresh),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [401, 4010],
      [401, 4010],
      [403, 4033],
      [200, 0],
      [401, 4010],
      [200, 0],
    ])
    acme = { ...acme, owner: await platform.signIn(acme.id, acme.ownerId) }
  })

  it('end one by one from the list of sessions, the own ones only', async () => {
    const other = await platform.createUser(acme, 'other@acme.test', ['tenant_user'])
    const mine = await issue(acme)
    const path = `/auth/sessions/${mine.id}`
    const answers = [
      await other.api.delete(path),
      await acme.owner.delete(path),
      await acme.owner.delete(path),
      await acme.owner.delete('/auth/sessions/nonsense'),
    ]
    assert.deepEqual(
      [...answers.map(codeOf), codeOf(await me(mine.access))],
      [
        [404, 4040],
        [200, 0],
        [404, 4040],
        [422, 4221],
        [401, 4014],
      ],
    )
  })

  it('of a disabled or deleted user are refused at once', async () => {
    const codes: unknown[] = []
    for (const end of ['disable', 'delete'] as const) {
      const user = await platform.createUser(acme, `${end}@acme.test`, ['tenant_user'])
      await user.api.get('/auth/me')
      if (end === 'disable') await acme.owner.put(`/tenant/users/${user.id}`, { status: 'disabled' })
      else await acme.owner.delete(`/tenant/users/${user.id}`)
      const { status, body } = await user.api.get('/auth/me')
      codes.push([status, body['code'], body['details']?.['cause']])
    }
    assert.deepEqual(codes, [
      [401, 4014, 'user_disabled'],
      [401, 4014, 'user_deleted'],
    ])
  })

  it('of a user who has changed are refused although no word of it came', async () => {
    const user = await platform.createUser(acme, 'unheard@acme.test', ['tenant_user'])
    const { knex } = platform.test.kernel.database
    const answers = []
    const changes = [{ version: knex.raw('version + 1') }, { status: 'disabled' }]
    for (const change of changes) {
      const { access } = await issueSession(platform, acme.id, user.id)
      await knex('users').queryContext({ tenant: acme.id }).where('id', user.id).update(change)
      await runningKernel(platform).store.cache.deleteByPrefix('')
      answers.push(codeOf(await me(access)))
    }
    assert.deepEqual(answers, [
      [401, 4014],
      [403, 4034],
    ])
  })

  it('stay good when the cache is lost', async () => {
    const { access, refresh: token, id } = await issue(acme)
    await me(access)
    await runningKernel(platform).store.cache.deleteByPrefix('')
    assert.deepEqual(
      [codeOf(await me(access)), codeOf(await refresh(token))],
      [
        [200, 0],
        [200, 0],
      ],
    )
    await platform.test.kernel.services.get(sessions).revoke(id, 'admin')
    await runningKernel(platform).store.cache.deleteByPrefix('')
    assert.deepEqual(codeOf(await me(access)), [401, 4014])
  })

  it('are good for their time and no longer, also where they were seen before', async () => {
    const { access } = await issueSession(platform, acme.id, acme.ownerId, { seconds: 2 })
    const seen = [codeOf(await me(access))]
    await until(async () => (await me(access)).status === 401)
    seen.push(codeOf(await me(access)))
    assert.deepEqual(seen, [
      [200, 0],
      [401, 4012],
    ])
  })

  it('of the oldest session end when there are more than a user may have', async () => {
    const user = await platform.createUser(acme, 'many@acme.test', ['tenant_user'])
    const apis = []
    for (let place = 0; place < 10; place += 1) apis.push(await platform.signIn(acme.id, user.id))
    const first = await user.api.get('/auth/me')
    const last = await apis.at(-1)?.get('/auth/sessions')
    assert.deepEqual(
      [codeOf(first), first.body['details'], last?.body['data']?.['total']],
      [[401, 4014], { cause: 'device_limit' }, 10],
    )
  })
})

if (testRedisUrl() !== undefined)
  describe('a session on several hosts', () => {
    it('that is revoked on one is refused on the other at once', async () => {
      await using platform = await startTestPlatform({ env })
      const { databaseUrl, namespace } = platform.test
      const kernel = runningKernel(platform)
      await using second = await startTestKernel({
        plugins: identityPlugins,
        databaseUrl,
        namespace,
        env,
      })
      const there = await platform.signIn(0, platform.adminId)
      const token = await issueSession(platform, 0, platform.adminId)
      const elsewhere = second.api.as(token.access)
      const heard: string[] = []
      using listening = new DisposableStack()
      listening.use(kernel.events.on(sessionRevoked, ({ sessionId }) => void heard.push(sessionId)))
      assert.equal((await elsewhere.get('/auth/me')).status, 200)
      await there.delete(`/auth/sessions/${token.id}`)
      const began = Date.now()
      await until(async () => (await elsewhere.get('/auth/me')).status === 401)
      assert.ok(Date.now() - began < 5_000)
      assert.deepEqual(heard, [token.id])
    })
  })
