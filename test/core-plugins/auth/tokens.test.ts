// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { authenticator } from '#kernel'
import auth from '../../../core-plugins/auth/index.ts'
import { codeOf, issueSession, readToken, signToken } from '../../support/auth.ts'
import { countCpuTime } from '../../support/cpu-time.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const secret = randomBytes(32).toString('base64url')
const old = randomBytes(32).toString('base64url')
const env = { JWT_KEYS: `k2:${secret},k1:${old}`, PUBLIC_URL: 'http://stoa.test' }
const sign = (header: object, claims: object, key = secret) => signToken(header, claims, key)

describe('access tokens', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ env })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const issue = (tenant: TestTenant) => issueSession(platform, tenant.id, tenant.ownerId)
  const me = (token: string) => platform.test.api.as(token).get('/auth/me')

  it('carry the claims that the contract names', async () => {
    const { access, id } = await issue(acme)
    const [header, { jti, iat, exp, auth_time: since, ...claims }] = readToken(access)
    assert.deepEqual(
      [header, claims, typeof jti, Number(exp) - Number(iat), Math.abs(Number(since) - Number(iat)) <= 2],
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
        true,
      ],
    )
  })

  it('are good under every key of the ring and nothing else', async () => {
    const [header, claims] = readToken((await issue(acme)).access)
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

  it('of a session name its user and tenant: one that names others is refused, and spoils the session for nobody', async () => {
    const rival = await platform.createTenant('rival')
    const other = await platform.createUser(acme, 'other@acme.test', ['tenant_user'])
    const [header, claims] = readToken((await issue(acme)).access)
    const foreign = [
      { user_id: other.id, sub: String(other.id) },
      { user_id: rival.ownerId, tenant_id: rival.id },
      { user_id: platform.adminId, tenant_id: 0, scope: 'platform' },
      { tenant_id: rival.id },
    ].map((others) => me(sign(header, { ...claims, ...others })))
    // Before anybody brought the right token, so that the first record there is would be of these.
    const answers = (await Promise.all(foreign)).map(codeOf)
    assert.deepEqual(
      [
        answers,
        codeOf(await me(sign(header, claims))),
        codeOf(await me(sign(header, { ...claims, sid: randomUUID() }))),
      ],
      [Array(4).fill([401, 4013]), [200, 0], [401, 4014]],
    )
  })

  it('with ids that nobody can have are refused as any other that is not ours', async () => {
    const [header, claims] = readToken((await issue(acme)).access)
    const ids = [2 ** 31, 2 ** 53 - 1, 2 ** 63, 1e300, -1, -(2 ** 31), 1.5, '1', ' 1', '', null, [1], {}, true]
    const times = [-1, 1.5, 2 ** 53 - 1, '0', null]
    const odd = [
      ...[...ids, 0].map((user_id) => ({ user_id })),
      ...ids.map((tenant_id) => ({ tenant_id })),
      ...ids.map((ver) => ({ ver })),
      ...[...ids, 'nonsense', randomUUID().toUpperCase(), '%00', `${randomUUID()}0`].map((sid) => ({ sid })),
      ...['2147483648', '-1', '0', '1e300', null].map((sub) => ({ act: { sub, tenant_id: 0 } })),
      ...times.map((auth_time) => ({ auth_time })),
      ...['pwd', [1], null, [null]].map((amr) => ({ amr })),
      ...['x', [1], null].map((roles) => ({ roles })),
    ]
    const wrong: unknown[] = []
    for (const claim of odd) {
      const answer = codeOf(await me(sign(header, { ...claims, ...claim })))
      if (answer[0] !== 401) wrong.push([claim, answer])
    }
    assert.deepEqual(wrong, [])
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
    const cpuTime = countCpuTime()
    for (let call = 0; call < 5000; call += 1) await answers.authenticate(credential)
    const microseconds = (cpuTime() * 1000) / 5000
    kernel.database.knex.off('query', count)
    // What runs every few seconds may come in between; a query a call would be thousands.
    assert.ok(queries < 50, `${queries} queries`)
    assert.equal(microseconds < 20, true, `${microseconds} µs`)
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
