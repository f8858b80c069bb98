import assert from 'node:assert/strict'
import { codeOf, configure, readToken } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'

describe('a developer’s way in', () => {
  const enter = ({ test }: TestPlatform, body: object, options: object = {}) =>
    test.api.post('/auth/dev-login', body, options)

  it('lets users of tenants and of the platform in without a password', async () => {
    await using platform = await startTestPlatform({ env: { DEV_BOOTSTRAP_LOGIN: '1' } })
    await platform.createTenant('acme')
    const tenant = await enter(platform, { account: 'owner@acme.test', tenant_code: 'acme' })
    const staff = await enter(platform, { account: 'admin@stoa.test' })
    const claims = readToken(tenant.body['data']?.['access_token'] as unknown as string)[1]
    const unknown = await enter(platform, { account: 'nobody@acme.test', tenant_code: 'acme' })
    assert.deepEqual(
      [codeOf(tenant), codeOf(staff), staff.body['data']?.['roles'], claims['amr'], codeOf(unknown)],
      [[200, 0], [200, 0], ['super_admin'], ['dev'], [401, 4011]],
    )
  })

  it('is not there for other machines, nor under another name of this one', async () => {
    await using platform = await startTestPlatform({ env: { DEV_BOOTSTRAP_LOGIN: '1' } })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    const account = 'admin@stoa.test'
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const answers = [
      await enter(platform, { account }, { headers }),
      await enter(platform, { nonsense: true }, { headers }),
      await enter(platform, { account }, { host: 'rebound.evil.test' }),
      await platform.test.api.post('/auth/nothing-here', { account }),
    ]
    assert.deepEqual(answers.map(strip), Array(4).fill(strip(answers[3] ?? assert.fail())))
    assert.deepEqual(codeOf(answers[0] ?? assert.fail()), [404, 4044])
  })

  for (const [name, env] of [
    ['unless the environment asks for it', {}],
    ['in production, whatever the environment asks for', { DEV_BOOTSTRAP_LOGIN: '1', NODE_ENV: 'production' }],
  ] as const) {
    it(`is not there ${name}`, async () => {
      await using platform = await startTestPlatform({ env })
      const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
      const answers = await Promise.all(methods.map((method) => platform.test.request(method, '/auth/dev-login')))
      const routes = platform.test.kernel.registered().routes.filter((route) => route.includes('dev-login'))
      assert.deepEqual([answers.map(codeOf), routes], [Array(4).fill([404, 4044]), []])
    })
  }

  function strip({ status, body }: { status: number; body: object }): unknown {
    return [status, { ...body, trace_id: '' }]
  }
})
