// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Lockout } from '../../../core-plugins/auth/sign-in/lockout.ts'
import { configReader } from '../../../core-plugins/config/contract.ts'
import { codeOf, configure } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'

describe('a wrong password', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
    await platform.createTenant('acme')
    await platform.createTenant('other')
    // What a captcha does to wrong passwords has tests of its own.
    await configure(platform.admin, 'admin', 'platform_captcha', { login_captcha_enabled: false })
    await configure(platform.admin, 'admin', 'tenant_captcha', { captcha_enabled: false })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('locks an account that exists and one that does not alike, and no other', async () => {
    const login = (account: string, password: string, tenant_code: string) =>
      platform.test.api.post('/tenant/auth/login', { account, password, tenant_code })
    const outcomes = async (account: string) => {
      const codes: unknown[] = []
      for (let attempt = 0; attempt < 7; attempt += 1) {
        const { body, headers } = await login(account, 'wrong password', 'acme')
        codes.push(body['code'])
        if ((body['code'] as unknown as number) === 4292) {
          assert.equal(Number(headers['retry-after']), body['details']?.['retry_after'])
        }
      }
      return codes
    }
    const expected = [4011, 4011, 4011, 4011, 4011, 4292, 4292]
    assert.deepEqual([await outcomes('owner@acme.test'), await outcomes('nobody@acme.test')], [expected, expected])
    assert.deepEqual(
      [
        codeOf(await login('owner@acme.test', testPassword, 'acme')),
        codeOf(await login('owner@other.test', testPassword, 'other')),
      ],
      [
        [429, 4292],
        [200, 0],
      ],
    )
  })

  it('counts anew when the lock is over', async () => {
    const acme = await platform.createTenant('patient')
    const login = async () => {
      const body = { account: 'owner@patient.test', password: 'wrong password', tenant_code: acme.code }
      return (await platform.test.api.post('/tenant/auth/login', body)).body['code']
    }
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) codes.push(await login())
    await platform.test.kernel.database
      .knex('auth_login_failures')
      .update({ locked_until: new Date(Date.now() - 1000) })
      .queryContext({ tenant: acme.id })
    codes.push(await login(), await login())
    assert.deepEqual(codes, [4011, 4011, 4011, 4011, 4011, 4292, 4011, 4011])
  })

  it('is forgotten after the time of a lock, whether or not it led to one', async () => {
    const acme = await platform.createTenant('slow')
    const login = async () => {
      const body = { account: 'owner@slow.test', password: 'wrong password', tenant_code: acme.code }
      return (await platform.test.api.post('/tenant/auth/login', body)).body['code']
    }
    const codes: unknown[] = []
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 3; attempt += 1) codes.push(await login())
      await platform.test.kernel.database
        .knex('auth_login_failures')
        .update({ last_failed_at: new Date(Date.now() - 16 * 60_000) })
        .queryContext({ tenant: acme.id })
    }
    assert.deepEqual(codes, Array(6).fill(4011))
  })

  it('counts for the whole network, under a name that two tenants do not share, and in all where that is bounded', async () => {
    const { database, services } = platform.test.kernel
    const lockout = new Lockout(database.knex, services.get(configReader), randomBytes(32))
    const attempt = (ip: string, tenantId = 7) => ({ tenantId, account: 'x', ip })
    for (let host = 1; host <= 5; host += 1) await lockout.recordFailure(attempt(`2001:db8:0:7::${host}`))
    await assert.rejects(lockout.requireOpen(attempt('2001:db8:0:7::99')), { code: 4292 })
    await lockout.recordFailure(attempt('192.0.2.1'))
    await lockout.recordFailure(attempt('192.0.2.1', 8))
    const rows = (await database
      .knex('auth_login_failures')
      .whereIn('tenant_id', [7, 8])
      .queryContext({ tenant: 'all' })) as { tenant_id: number; account: string }[]
    assert.equal(new Set(rows.map((row) => row.account)).size, 2)
    await lockout.requireOpen(attempt('192.0.2.2'), { atMost: 7 })
    await assert.rejects(lockout.requireOpen(attempt('192.0.2.2'), { atMost: 6 }), { code: 4292 })
  })

  it('is forgiven by a sign-in that works', async () => {
    await using platform = await startTestPlatform()
    await configure(platform.admin, 'admin', 'tenant_captcha', { captcha_enabled: false })
    await platform.createTenant('forgiving')
    const account = 'owner@forgiving.test'
    const login = async (password: string) => {
      const body = { account, password, tenant_code: 'forgiving' }
      return (await platform.test.api.post('/tenant/auth/login', body)).body['code']
    }
    const wrong = Array<string>(4).fill('wrong password')
    const codes: unknown[] = []
    for (const password of [...wrong, testPassword, ...wrong, testPassword]) codes.push(await login(password))
    const missed = wrong.map(() => 4011)
    assert.deepEqual(codes, [...missed, 0, ...missed, 0])
  })
})

describe('the limit of sign-ins', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
    await platform.createTenant('other')
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is ten tries a minute for an account and an address, and says how it stands', async () => {
    const answers = []
    const headers = { 'x-forwarded-for': '198.51.100.10' }
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const body = { account: 'owner@other.test', password: testPassword, tenant_code: 'other' }
      answers.push(await platform.test.api.post('/tenant/auth/login', body, { headers }))
    }
    const [first, last] = [answers[0] ?? assert.fail(), answers.at(-1) ?? assert.fail()]
    const wait = Number(last.headers['retry-after'])
    assert.deepEqual([...new Set(answers.map(({ body }) => body['code']))], [0, 4291])
    assert.deepEqual(
      [first.headers['ratelimit-policy'], last.headers['ratelimit-policy'], last.headers['ratelimit']],
      ['"login";q=30;w=60', '"login_account";q=10;w=60', `"login_account";r=0;t=${wait}`],
    )
    assert.match(String(first.headers['ratelimit']), /^"login";r=\d+;t=\d+$/)
  })

  it('is thirty tries a minute for an address, whatever the accounts and the doors', async () => {
    const enter = (path: string, index: number) =>
      platform.test.api.post(
        path,
        {
          account: `nobody${index}@other.test`,
          password: 'x',
          ...(path.startsWith('/admin') ? {} : { tenant_code: 'other' }),
        },
        // One subscriber has the whole /64.
        { headers: { 'x-forwarded-for': `2001:db8:1:2::${index + 1}` } },
      )
    const paths = ['/auth/login/json', '/tenant/auth/login', '/admin/auth/login/json']
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_, index) => enter(paths[index % 3] ?? assert.fail(), index)),
    )
    const codes = Map.groupBy(answers, ({ body }) => body['code'] as unknown as number)
    assert.deepEqual([codes.get(4011)?.length, codes.get(4291)?.length], [30, 6])
  })
})
