import assert from 'node:assert/strict'
import { tenantResolver } from '#kernel'
import { demoSeed } from '../../../core-plugins/tenants/contract.ts'
import tenants from '../../../core-plugins/tenants/index.ts'
import {
  identityPlugins,
  startTestPlatform,
  testPassword,
  type TestPlatform,
  type TestTenant,
} from '../../support/identity.ts'

describe('tenants', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('are created with their owner, who holds the owner’s role', async () => {
    const { status, body } = await platform.admin.post('/admin/tenants', {
      code: 'beta',
      name: 'Beta',
      domains: ['App.Beta-Works.Example'],
      owner: { email: 'Boss@Beta.Test', password: testPassword, nickname: 'Boss' },
    })
    const tenant = body['data']
    assert.equal(status, 201)
    assert.deepEqual(
      {
        ...tenant,
        id: 0,
        created_at: '',
        updated_at: '',
        owner: { ...tenant?.['owner'], id: 0, created_at: '', tenant_id: 0 },
      },
      {
        id: 0,
        code: 'beta',
        name: 'Beta',
        status: 'active',
        domains: [{ domain: 'app.beta-works.example', verified: true, primary: true }],
        expires_at: null,
        created_at: '',
        updated_at: '',
        owner: {
          id: 0,
          tenant_id: 0,
          account: 'boss@beta.test',
          email: 'boss@beta.test',
          phone: null,
          nickname: 'Boss',
          avatar_url: '',
          status: 'active',
          roles: [{ code: 'tenant_owner', name: 'Owner' }],
          org_ids: [],
          locale: null,
          timezone: null,
          two_factor_enabled: false,
          last_login_at: null,
          created_at: '',
        },
      },
    )
  })

  it('may have pages elsewhere that read answers, as the platform has', async () => {
    const origins = [
      'http://acme.localhost:5173',
      'http://localhost',
      'https://nobody.example',
      'null',
      'file://acme.localhost',
    ]
    const allowed = []
    for (const origin of origins) {
      const { headers } = await platform.test.api.get('/api/public/platform/config', { headers: { origin } })
      allowed.push(headers['access-control-allow-origin'] ?? null)
    }
    assert.deepEqual(allowed, [...origins.slice(0, 2), null, null, null])
  })

  it('are found by code or by the host that was called, and by nothing else', async () => {
    const credentials = { account: 'owner@acme.test', password: testPassword }
    const login = (body: object, host?: string) =>
      platform.test.api.post('/tenant/auth/login', body, host ? { host } : {})
    const answers = [
      await login(credentials, 'acme.localhost'),
      await login(credentials, 'ACME.localhost:3000'),
      await login({ ...credentials, tenant_code: 'acme' }, 'localhost'),
      await login(credentials, 'localhost'),
      await login(credentials, 'x.acme.localhost'),
      await login({ ...credentials, tenant_code: 'nobody' }, 'acme.localhost'),
    ]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      [
        [200, 0],
        [200, 0],
        [200, 0],
        [404, 4041],
        [404, 4041],
        [404, 4041],
      ],
    )
  })

  it('answer by a custom domain, which one tenant only can have', async () => {
    const change = await platform.admin.put(`/admin/tenants/${acme.id}`, { domains: ['www.acme.example'] })
    const login = await platform.test.api.post(
      '/tenant/auth/login',
      { account: 'owner@acme.test', password: testPassword },
      { host: 'www.acme.example' },
    )
    const taken = await platform.admin.post('/admin/tenants', {
      code: 'thief',
      name: 'Thief',
      domains: ['WWW.acme.example.'],
      owner: { email: 'a@thief.test', password: testPassword },
    })
    const refused = await platform.admin.put(`/admin/tenants/${acme.id}`, { domains: ['evil.localhost'] })
    assert.deepEqual(
      [change, login, taken, refused].map(({ status, body }) => [status, body['code']]),
      [
        [200, 0],
        [200, 0],
        [409, 4097],
        [422, 4228],
      ],
    )
  })

  it('cannot take a code that is taken, reserved or no host name', async () => {
    const owner = { email: 'a@b.test', password: testPassword }
    const codes = ['acme', 'www', '-a', 'A', 'a.b', 'a-']
    const answers = await Promise.all(
      codes.map((code) => platform.admin.post('/admin/tenants', { code, name: 'x', owner })),
    )
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [4091, 4220, 4220, 4220, 4220, 4220],
    )
  })

  it('leave nothing behind when their owner’s password is refused', async () => {
    const refused = []
    for (const password of ['12345678', 'weakling works 1']) {
      const owner = { email: 'a@b.test', password }
      const { status, body } = await platform.admin.post('/admin/tenants', {
        code: 'weak',
        name: 'Weakling Works',
        owner,
      })
      refused.push([status, body['code'], (body['errors'] as unknown as { rule: string }[]).map(({ rule }) => rule)])
    }
    const list = await platform.admin.get('/admin/tenants?q=weak')
    assert.deepEqual(refused, [
      [422, 4223, ['blocklist']],
      [422, 4223, ['similarity']],
    ])
    assert.equal(list.body['data']?.['total'], 0)
  })

  it('that are disabled are shut for their tokens at once, and open again when enabled', async () => {
    const statuses = []
    for (const status of ['disabled', 'active']) {
      await platform.admin.put(`/admin/tenants/${acme.id}`, { status })
      const me = await acme.owner.get('/tenant/auth/me')
      statuses.push([me.status, me.body['code']])
    }
    assert.deepEqual(statuses, [
      [403, 4035],
      [200, 0],
    ])
  })

  it('that are deleted are gone for everybody, and give their code and domains free', async () => {
    const gone = await platform.createTenant('gone')
    const deleted = await platform.admin.delete(`/admin/tenants/${gone.id}`)
    // The tenant is shut at once, its sessions end a moment later.
    const me = await gone.owner.get('/tenant/auth/me')
    const answers = [
      await platform.admin.get(`/admin/tenants/${gone.id}`),
      await platform.admin.delete(`/admin/tenants/${gone.id}`),
    ]
    const again = await platform.createTenant('gone')
    assert.ok([4035, 4014].includes(me.body['code'] as unknown as number), JSON.stringify(me.body))
    assert.deepEqual(
      [deleted.body['data'], answers.map(({ body }) => body['code']), again.id > gone.id],
      [{ deleted: true }, [4040, 4040], true],
    )
  })

  it('are listed in pages, searched and sorted', async () => {
    const list = await platform.admin.get('/admin/tenants?page_size=1&sort=code&q=ac')
    const { items, ...page } = list.body['data'] as unknown as { items: { code: string }[] }
    const wrong = await platform.admin.get('/admin/tenants?sort=password')
    assert.deepEqual(
      [items.map(({ code }) => code), page, wrong.body['code']],
      [['acme'], { total: 1, page: 1, page_size: 1, pages: 1 }, 4221],
    )
  })

  it('are the platform’s business: a tenant’s token is refused', async () => {
    const { status, body } = await acme.owner.get('/admin/tenants')
    assert.deepEqual([status, body['code']], [403, 4033])
  })

  it('have no demo beside them', async () => {
    assert.equal(await platform.test.kernel.services.get(demoSeed).run(), undefined)
  })

  it('leave nothing registered when the plugin is disabled', async () => {
    const { kernel } = platform.test
    const before = kernel.registered()
    // Whoever uses it goes first.
    const users = identityPlugins.filter(({ needs = {} }) => Object.values(needs).includes(tenantResolver))
    const ordered = users.sort((one) => (one.name === 'auth' ? -1 : 1))
    for (const { name } of ordered) await kernel.disable(name)
    await kernel.disable('tenants')
    assert.equal(
      kernel.registered().routes.some((route) => route.includes('/admin/tenants')),
      false,
    )
    for (const plugin of [tenants, ...ordered.toReversed()]) await kernel.enable(plugin)
    assert.deepEqual(kernel.registered(), before)
  })
})

describe('the demo tenant', () => {
  it('comes with a password that signs its owner in', async () => {
    await using platform = await startTestPlatform()
    const demo = await platform.test.kernel.services.get(demoSeed).run()
    const login = await platform.test.api.post('/auth/login/json', {
      account: demo?.account,
      password: demo?.password,
      tenant_code: demo?.tenantCode,
    })
    assert.deepEqual([login.status, login.body['data']?.['roles']], [200, ['tenant_owner']])
  })
})
