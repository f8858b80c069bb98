import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { codeOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const ours = { 'x-requested-with': 'console' }
const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie'] ?? '').split(';')[0] ?? ''
const attributesOf = ({ headers }: Answer): string[] => String(headers['set-cookie']).split('; ').slice(1)

describe('a refresh token in a cookie', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ env: { PUBLIC_URL: 'https://stoa.test' } })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const login = (more: object = { token_delivery: 'cookie' }) =>
    platform.test.api.post('/auth/login/json', {
      ...{ email: 'owner@acme.test', password: testPassword, tenant_code: 'acme' },
      ...more,
    })
  const call = (path: string, cookie: string, headers: Record<string, string> = {}, body: object = {}) =>
    platform.test.api.post(path, body, { headers: { ...headers, cookie: `other=1; ${cookie}` } })

  it('is one that no script reads and no other site sends, and is nowhere else', async () => {
    const answer = await login()
    assert.match(cookieOf(answer), /^__Host-rt=rt_[\w-]{70}$/)
    assert.deepEqual(
      [answer.status, answer.body['data']?.['refresh_token'], attributesOf(answer), answer.headers['cache-control']],
      [200, null, ['Max-Age=604800', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'], 'no-store'],
    )
    assert.equal((await login({})).headers['set-cookie'], undefined)
  })

  it('is exchanged for a page of ours, into the cookie again', async () => {
    const first = await login()
    const second = await call('/auth/refresh', cookieOf(first), ours)
    const third = await call('/auth/refresh', cookieOf(second), ours)
    assert.deepEqual(
      [codeOf(second), second.body['data']?.['refresh_token'], cookieOf(second) === cookieOf(first), codeOf(third)],
      [[200, 0], null, false, [200, 0]],
    )
  })

  it('is good for nothing alone, and ends no session that way', async () => {
    const cookie = cookieOf(await login())
    const answers = [
      await call('/auth/refresh', cookie),
      await call('/auth/refresh', cookie, { 'x-requested-with': 'XMLHttpRequest' }),
      await call('/auth/logout', cookie),
      await platform.test.api.get('/auth/me', { headers: { ...ours, cookie } }),
      await platform.test.api.post('/auth/refresh', {}, { headers: ours }),
      await platform.test.api.post('/auth/refresh', {}),
      await call('/auth/refresh', cookie, ours),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [401, 4015],
      [401, 4015],
      [401, 4010],
      [401, 4010],
      [401, 4015],
      [422, 4220],
      [200, 0],
    ])
  })

  it('is taken away with the session at the end', async () => {
    const signedIn = await login()
    const cookie = cookieOf(signedIn)
    const out = await call('/auth/logout', cookie, ours)
    const me = await platform.test.api.as(signedIn.body['data']?.['access_token']).get('/auth/me')
    assert.deepEqual(
      [
        out.body['data'],
        cookieOf(out),
        attributesOf(out)[0],
        codeOf(me),
        codeOf(await call('/auth/refresh', cookie, ours)),
      ],
      [{ revoked: 1 }, '__Host-rt=', 'Max-Age=0', [401, 4014], [401, 4015]],
    )
  })

  it('goes back into the body for who sends it in the body', async () => {
    const { body } = await login({})
    const token = body['data']?.['refresh_token']
    const answer = await call('/auth/refresh', cookieOf(await login()), ours, { refresh_token: token })
    assert.deepEqual(
      [codeOf(answer), typeof answer.body['data']?.['refresh_token'], answer.headers['set-cookie']],
      [[200, 0], 'string', undefined],
    )
  })

  it('works for the platform’s staff at their own door only', async () => {
    const body = { email: 'admin@stoa.test', password: testPassword, token_delivery: 'cookie' }
    const cookie = cookieOf(await platform.test.api.post('/admin/auth/login/json', body))
    const answers = [await call('/auth/refresh', cookie, ours), await call('/admin/auth/refresh', cookie, ours)]
    assert.deepEqual(answers.map(codeOf), [
      [401, 4015],
      [200, 0],
    ])
    assert.equal(acme.code, 'acme')
  })

  it('17: is another one for the platform, so that a tenant’s session beside it takes nothing away', async () => {
    const body = { email: 'admin@stoa.test', password: testPassword, token_delivery: 'cookie' }
    const staff = cookieOf(await platform.test.api.post('/admin/auth/login/json', body))
    const both = `${staff}; ${cookieOf(await login())}`
    assert.match(staff, /^__Host-rt-admin=rt_/)
    const answers = [await call('/auth/logout', both, ours), await call('/admin/auth/refresh', both, ours)]
    assert.deepEqual(answers.map(codeOf), [
      [200, 0],
      [200, 0],
    ])
    assert.deepEqual(
      answers.map((answer) => cookieOf(answer).split('=')[0]),
      ['__Host-rt', '__Host-rt-admin'],
    )
  })
})

describe('a refresh token in a cookie of a developer', () => {
  it('has the plain name on localhost alone', async () => {
    await using platform = await startTestPlatform({ env: { PUBLIC_URL: 'http://localhost:3000' } })
    const acme = await platform.createTenant('acme')
    const names: unknown[] = []
    for (const host of ['localhost:3000', acme.host, '127.0.0.1:3000', 'stoa.test', 'localhost.evil.test']) {
      const body = { email: 'owner@acme.test', password: testPassword, tenant_code: 'acme', token_delivery: 'cookie' }
      const answer = await platform.test.api.post('/auth/login/json', body, { host })
      names.push([cookieOf(answer).split('=')[0], attributesOf(answer).includes('Secure')])
    }
    assert.deepEqual(names, [
      ['rt', false],
      ['rt', false],
      ['rt', false],
      ['__Host-rt', true],
      ['__Host-rt', true],
    ])
  })
})
