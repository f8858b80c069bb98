import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { sessions, sessionRevoked } from '../../core-plugins/auth/contract.ts'
import { authenticator } from '#kernel'
import { userDirectory } from '../../core-plugins/users/contract.ts'
import { RunningKernel } from '../../kernel/kernel.ts'
import auth from '../../core-plugins/auth/index.ts'
import type { Answer, Body } from '../support/api.ts'
import { testRedisUrl } from '../support/cluster.ts'
import {
  identityPlugins,
  startTestPlatform,
  testPassword,
  type TestPlatform,
  type TestTenant,
} from '../support/identity.ts'
import { startTestKernel } from '../support/kernel.ts'
import { until } from '../support/until.ts'

const textOf = (value: unknown): string => value as string
const codeOf = ({ status, body }: Answer): unknown => [status, body['code']]
const secret = randomBytes(32).toString('base64url')
const old = randomBytes(32).toString('base64url')
const env = { JWT_KEYS: `k2:${secret},k1:${old}`, PUBLIC_URL: 'http://stoa.test' }

/** The kernel as the tests may see it, with what it stands on. */
function runningKernel({ test }: TestPlatform): RunningKernel {
  assert.ok(test.kernel instanceof RunningKernel)
  return test.kernel
}

function sign(header: object, claims: object, key = secret): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

describe('tokens', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ env })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  async function issue(tenant: TestTenant): Promise<{ access: string; refresh: string; id: string }> {
    const { services } = platform.test.kernel
    const user = await services.get(userDirectory).find(tenant.id, tenant.ownerId)
    assert.ok(user)
    const tokens = await services.get(sessions).issue(user, { ip: '127.0.0.1', userAgent: 'test' })
    return { access: tokens.accessToken, refresh: tokens.refreshToken, id: tokens.sessionId }
  }
  const me = (token: string) => platform.test.api.as(token).get('/auth/me')
  const refresh = (token: string, path = '/auth/refresh') => platform.test.api.post(path, { refresh_token: token })
  const partsOf = (token: string): [Record<string, unknown>, Record<string, unknown>] => {
    const [header = '', claims = ''] = token.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    return [read(header), read(claims)]
  }

  it('carry the claims that the contract names', async () => {
    const { access, id } = await issue(acme)
    const [header, { jti, iat, exp, ...claims }] = partsOf(access)
    assert.deepEqual(
      [header, claims, typeof jti, Number(exp) - Number(iat)],
      [
        { alg: 'HS256', typ: 'at+jwt', kid: 'k2' },
        {
          iss: 'http://stoa.test',
          aud: 'api',
          sub: String(acme.ownerId),
          user_id: acme.ownerId,
          tenant_id: acme.id,
          scope: 'tenant',
          roles: ['tenant_owner'],
          sid: id,
          ver: 1,
          amr: ['pwd'],
        },
        'string',
        900,
      ],
    )
  })

  it('are good under every key of the ring and nothing else', async () => {
    const [header, claims] = partsOf((await issue(acme)).access)
    const now = Math.floor(Date.now() / 1000)
    const unsigned = [{ ...header, alg: 'none' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const tampered = sign(header, claims).split('.')
    tampered[1] = Buffer.from(JSON.stringify({ ...claims, tenant_id: 0 })).toString('base64url')
    const tokens = [
      sign({ ...header, kid: 'k1' }, claims, old),
      sign({ ...header, kid: 'k1' }, claims),
      sign({ ...header, kid: 'k9' }, claims),
      sign({ alg: 'HS256', typ: 'at+jwt' }, claims),
      sign({ ...header, typ: 'JWT' }, claims),
      sign({ ...header, alg: 'HS512' }, claims),
      sign({ ...header, alg: 'RS256' }, claims),
      sign(header, { ...claims, aud: 'other' }),
      sign(header, { ...claims, iss: 'http://evil.test' }),
      sign(header, { ...claims, exp: now - 1 }),
      sign(header, { ...claims, exp: undefined }),
      sign(header, { ...claims, user_id: '1' }),
      `${unsigned.join('.')}.`,
      tampered.join('.'),
      'nonsense',
      `${'a'.repeat(9000)}.b.c`,
    ]
    assert.deepEqual(
      (await Promise.all(tokens.map(me))).map(({ body }) => body['code']),
      [0, 4013, 4013, 4013, 4013, 4013, 4013, 4013, 4013, 4012, 4013, 4013, 4013, 4013, 4013, 4013],
    )
  })

  it('of a refresh are exchanged for the next pair', async () => {
    const first = await issue(acme)
    const second = await refresh(first.refresh)
    const third = await refresh(textOf(second.body['data']?.['refresh_token']))
    const data = second.body['data'] as unknown as Record<string, Body>
    const { access_token: access, refresh_token: next, ...rest } = data
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: rest['refresh_expires_in'],
      session_id: first.id,
      roles: ['tenant_owner'],
      tenant: { id: acme.id, code: 'acme', name: 'acme' },
      password_change_required: false,
    })
    assert.equal((next as unknown) !== first.refresh && third.status === 200, true)
    assert.deepEqual(codeOf(await me(textOf(access))), [200, 0])
  })

  it('of a refresh are exchanged by OAuth 2’s form too', async () => {
    const { refresh: token } = await issue(acme)
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await platform.test.api.post('/auth/refresh', body, { headers })
    assert.deepEqual(Object.keys(answer.body).sort(), [
      'access_token',
      'expires_in',
      'refresh_expires_in',
      'refresh_token',
      'scope',
      'session_id',
      'token_type',
    ])
  })

  it('of one refresh brought twenty times at once give one successor and twenty successes', async () => {
    const { refresh: token } = await issue(acme)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
    const next = new Set(answers.map(({ body }) => body['data']?.['refresh_token']))
    assert.deepEqual([new Set(answers.map(({ status }) => status)), next.size], [new Set([200]), 1])
    assert.equal((await refresh(textOf([...next][0]))).status, 200)
  })

  it('of a refresh that come back after the next exchange end the session, and their copies with it', async () => {
    const first = await issue(acme)
    const second = await refresh(first.refresh)
    const third = await refresh(textOf(second.body['data']?.['refresh_token']))
    const reused = await refresh(first.refresh)
    assert.deepEqual(
      [
        codeOf(reused),
        codeOf(await refresh(textOf(third.body['data']?.['refresh_token']))),
        codeOf(await me(first.access)),
      ],
      [
        [401, 4016],
        [401, 4015],
        [401, 4014],
      ],
    )
  })

  it('of a refresh that come back after the grace end the session', async () => {
    const first = await issue(acme)
    await refresh(first.refresh)
    await platform.test.kernel.database
      .knex('auth_sessions')
      .where('id', first.id)
      .update({ rotated_at: new Date(Date.now() - 31_000) })
      .queryContext({ tenant: acme.id })
    assert.deepEqual(
      [codeOf(await refresh(first.refresh)), codeOf(await me(first.access))],
      [
        [401, 4016],
        [401, 4014],
      ],
    )
  })

  it('of a refresh that were forged, cut or sent to the other door have no effect', async () => {
    const { access, refresh: token } = await issue(acme)
    const bytes = Buffer.from(token.slice(3), 'base64url')
    const forged = Buffer.from(bytes)
    forged.writeUInt32BE(0, 16)
    const answers = [
      await refresh(`rt_${forged.toString('base64url')}`),
      await refresh(token.slice(0, -4)),
      await refresh('rt_'),
      await refresh(token, '/admin/auth/refresh'),
    ]
    assert.deepEqual(answers.map(codeOf), Array(4).fill([401, 4015]))
    assert.deepEqual(
      [codeOf(await me(access)), codeOf(await refresh(token, '/tenant/auth/refresh'))],
      [
        [200, 0],
        [200, 0],
      ],
    )
  })

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
    const [living, idle] = [await issue(acme), await issue(acme)]
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
      await logout('/tenant', living.refresh),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [401, 4010],
      [401, 4010],
      [403, 4033],
      [200, 0],
      [200, 0],
    ])
    acme = { ...acme, owner: await platform.signIn(acme.id, acme.ownerId) }
  })

  it('of a refresh from before the credentials changed are good for nothing, even if no word ended them', async () => {
    const { refresh: token } = await issue(acme)
    const { knex } = platform.test.kernel.database
    const version = (change: string) =>
      knex('users')
        .queryContext({ tenant: acme.id })
        .where('id', acme.ownerId)
        .update({ version: knex.raw(`version ${change}`) })
    await version('+ 1')
    const refused = await refresh(token)
    await version('- 1')
    assert.deepEqual(
      [codeOf(refused), codeOf(await refresh(token))],
      [
        [401, 4015],
        [200, 0],
      ],
    )
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

  it('that were seen a moment ago cost microseconds and no query', async () => {
    const { access } = await issue(acme)
    const { kernel } = platform.test
    const answers = kernel.services.get(authenticator)
    const credential = { token: access, ip: '127.0.0.1' }
    await answers.authenticate(credential)
    let queries = 0
    const count = () => void (queries += 1)
    kernel.database.knex.on('query', count)
    const began = performance.now()
    for (let call = 0; call < 5000; call += 1) await answers.authenticate(credential)
    const microseconds = ((performance.now() - began) * 1000) / 5000
    kernel.database.knex.off('query', count)
    assert.equal(queries, 0)
    assert.equal(microseconds < 20, true, `${microseconds} µs`)
  })
})

describe('sign-in with one connection to the database', () => {
  it('works from set-up to sign-out', async () => {
    await using platform = await startTestPlatform({ poolSize: 1 })
    const acme = await platform.createTenant('acme')
    const user = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const login = await platform.test.api.post('/auth/login/json', {
      email: 'ann@acme.test',
      password: testPassword,
      tenant_code: 'acme',
    })
    const next = await platform.test.api.post('/auth/refresh', { refresh_token: login.body['data']?.['refresh_token'] })
    const answers = [
      await acme.owner.put(`/tenant/users/${user.id}`, { roles: ['tenant_admin'] }),
      await platform.test.api.as(next.body['data']?.['access_token']).post('/auth/logout', { all: true }),
      await acme.owner.delete(`/tenant/users/${user.id}`),
    ]
    assert.deepEqual([login, next, ...answers].map(codeOf), Array(5).fill([200, 0]))
  })
})

describe('the sign-in plugin', () => {
  it('leaves nothing registered when it is disabled', async () => {
    await using platform = await startTestPlatform()
    const { kernel } = platform.test
    const before = kernel.registered()
    await kernel.disable('auth')
    const without = kernel.registered()
    await kernel.enable(auth)
    assert.deepEqual(
      [without.routes.filter((route) => route.includes('auth')), without.timers, kernel.registered()],
      [[], before.timers - 1, before],
    )
  })
})

if (testRedisUrl() !== undefined)
  describe('a session on several hosts', () => {
    it('that is revoked on one is refused on the other within a second', async () => {
      await using platform = await startTestPlatform({ env: { ...env, APP_SECRET: secret } })
      const { databaseUrl, namespace } = platform.test
      const kernel = runningKernel(platform)
      await using second = await startTestKernel({
        plugins: identityPlugins,
        databaseUrl,
        namespace,
        env: { ...env, APP_SECRET: secret },
      })
      const there = await platform.signIn(0, platform.adminId)
      const token = await kernel.services
        .get(sessions)
        .issue((await kernel.services.get(userDirectory).find(0, platform.adminId)) ?? assert.fail(), {
          ip: '::1',
          userAgent: 'test',
        })
      const elsewhere = second.api.as(token.accessToken)
      const heard: string[] = []
      using listening = new DisposableStack()
      listening.use(kernel.events.on(sessionRevoked, ({ sessionId }) => void heard.push(sessionId)))
      assert.equal((await elsewhere.get('/auth/me')).status, 200)
      await there.delete(`/auth/sessions/${token.sessionId}`)
      const began = Date.now()
      await until(async () => (await elsewhere.get('/auth/me')).status === 401)
      assert.equal(Date.now() - began < 1000, true)
      assert.deepEqual(heard, [token.sessionId])
    })
  })
