import assert from 'node:assert/strict'
import { tenantResolver } from '#kernel'
import { TenantErasure } from '../../../core-plugins/tenants/erasure.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

describe('a tenant', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
  })
  after(() => platform[Symbol.asyncDispose]())

  const update = (id: number, body: object) => platform.admin.put(`/admin/tenants/${id}`, body)

  it('ends when its time is over, without anybody’s doing, and begins again with more time', async () => {
    const brief = await platform.createTenant('brief')
    const soon = new Date(Date.now() + 1000)
    await update(brief.id, { expires_at: soon.toISOString() })
    const before = await brief.owner.get('/tenant/auth/me')
    await until(() => Date.now() > soon.getTime())
    const [me, login, listed] = [
      await brief.owner.get('/tenant/auth/me'),
      await platform.test.api.post('/auth/login/json', {
        account: 'owner@brief.test',
        password: testPassword,
        tenant_code: 'brief',
      }),
      await platform.admin.get('/admin/tenants?status=expired&q=brief'),
    ]
    const changed = await update(brief.id, { expires_at: null })
    const after = await brief.owner.get('/tenant/auth/me')
    assert.deepEqual(
      [before, me, login, after].map(({ body }) => [body['code'], body['details']?.['status']]),
      [
        [0, undefined],
        [4035, 'expired'],
        [4035, 'expired'],
        [0, undefined],
      ],
    )
    assert.deepEqual([listed.body['data']?.['total'], changed.body['data']?.['status']], [1, 'active'])
  })

  it('that was deleted leaves no name, no domain, no session and no code', async () => {
    const owner = { email: 'owner@leaving.test', password: testPassword }
    const body = { code: 'leaving', name: 'Leaving Ltd', owner, domains: ['app.leaving.example'] }
    const made = await platform.admin.post('/admin/tenants', body)
    const id = made.body['data']?.['id'] as unknown as number
    const credentials = { account: owner.email, password: owner.password, tenant_code: 'leaving' }
    await platform.test.api.post('/auth/login/json', credentials)
    await platform.test.api.post('/auth/login-code/send', { email: owner.email, tenant_code: 'leaving' })
    await platform.test.api.post('/auth/forgot-password', { email: owner.email, tenant_code: 'leaving' })
    await platform.admin.delete(`/admin/tenants/${id}`)
    const { knex } = platform.test.kernel.database
    const erased = async () => ((await knex('tenants').where({ id }).first()) as { erased_at: unknown }).erased_at
    await until(async () => (await erased()) !== null)
    const tables = ['tenant_domains', 'auth_sessions', 'auth_codes', 'auth_reset_links', 'auth_login_failures']
    const counts = tables.map(async (table) => {
      return ((await knex(table).where({ tenant_id: id }).queryContext({ tenant: 'all' })) as unknown[]).length
    })
    const row = (await knex('tenants').where({ id }).first()) as { name: string; status: string }
    assert.deepEqual([await Promise.all(counts), row.name, row.status], [tables.map(() => 0), '', 'deleted'])
  })

  it('that was deleted by a host that died or failed over it is erased later, once', async () => {
    const { id } = await platform.createTenant('halfway')
    const { knex } = platform.test.kernel.database
    const longAgo = new Date(Date.now() - 86_400_000)
    await knex('tenants').where({ id }).update({ status: 'deleted' })
    const told: unknown[] = []
    // The first time somebody fails.
    const emit = (_event: unknown, payload: unknown) => Promise.resolve(told.push(payload) > 1)
    const queued: unknown[] = []
    const emitWithin = (...[, , payload]: unknown[]) => Promise.resolve(void queued.push(payload))
    const sweep = async () => {
      await knex('tenants').where({ id }).update({ updated_at: longAgo })
      await new TenantErasure({ db: knex, emit, emitWithin } as never).sweep()
    }
    await sweep()
    await sweep()
    await sweep()
    assert.deepEqual([told, queued], [[{ tenantId: id }, { tenantId: id }], [{ tenantId: id }]])
  })

  it('has no code that means something else, or pretends to', async () => {
    const owner = { email: 'a@b.test', password: testPassword }
    const path = '/admin/configs/groups/platform_domain'
    await platform.admin.put(path, { platform_domains: ['localhost', 'portal.localhost'] })
    const codes = [
      ...[
        'portal',
        'xn--80ak6aa92e',
        'www',
        'www2',
        'api',
        'mail',
        'mail3',
        'ns1',
        'ns2',
        'mx1',
        'localhost',
        'status',
      ],
      ...['smtp', 'imap', 'pop3', 'autodiscover', 'autoconfig', 'wpad', 'isatap', 'mta-sts', 'openpgpkey'],
      // Whoever reads their mail gets certificates (CA/B Forum, RFC 2142).
      ...['admin', 'administrator', 'webmaster', 'hostmaster', 'postmaster', 'ssladmin', 'ssladministrator'],
      ...['sslwebmaster', 'sysadmin', 'root', 'abuse', 'security', 'noc', 'is', 'it', 'mis', 'info'],
    ]
    const answers = await Promise.all(
      codes.map((code) => platform.admin.post('/admin/tenants', { code, name: code, owner })),
    )
    assert.deepEqual(
      answers.map(({ body }) => [body['code'], body['errors']]),
      answers.map(() => [4220, [{ field: 'code', rule: 'reserved', message: 'is reserved' }]]),
    )
  })

  it('is found, filtered and paged as every list', async () => {
    for (const code of ['list-a', 'list-b', 'list-c']) await platform.createTenant(code)
    const shut = await platform.createTenant('list-d')
    await update(shut.id, { status: 'disabled' })
    const codes = async (query: string) => {
      const { body } = await platform.admin.get(`/admin/tenants?q=list-&sort=-code&${query}`)
      return (body['data']?.['items'] as unknown as { code: string }[]).map(({ code }) => code)
    }
    const wrong = await Promise.all(
      ['page=0', 'page_size=101', 'status=deleted', 'sort=name;drop'].map((query) =>
        platform.admin.get(`/admin/tenants?${query}`),
      ),
    )
    assert.deepEqual(
      [
        await codes('page_size=2'),
        await codes('page_size=2&page=2'),
        await codes('page=9'),
        await codes('status=disabled'),
      ],
      [['list-d', 'list-c'], ['list-b', 'list-a'], [], ['list-d']],
    )
    assert.deepEqual(
      wrong.map(({ status, body }) => [status, body['code']]),
      wrong.map(() => [422, 4221]),
    )
  })

  it('leaves a row in the log for whatever was done to it', async () => {
    const { id } = await platform.createTenant('logged')
    await update(id, { name: 'Logged', expires_at: '2099-01-01T00:00:00Z' })
    await platform.admin.delete(`/admin/tenants/${id}`)
    const { body } = await platform.admin.get('/admin/audit-logs?limit=50')
    const rows = (body['data']?.['items'] as unknown as { action: string; target: string }[])
      .filter(({ target }) => target === `tenant:${id}`)
      .map(({ action }) => action)
    assert.deepEqual(rows, ['platform_tenant.deleted', 'platform_tenant.updated', 'platform_tenant.created'])
  })
})

describe('the address of a tenant', () => {
  it('follows its domains, the suffix and the platform’s address', async () => {
    await using platform = await startTestPlatform({ env: { PUBLIC_URL: 'https://stoa.example:8443/' } })
    const owner = { email: 'a@b.test', password: testPassword }
    const domains = ['www.acme.example', 'app.acme.example']
    await platform.admin.post('/admin/tenants', { code: 'acme', name: 'Acme', owner, domains })
    await platform.admin.post('/admin/tenants', { code: 'beta', name: 'Beta', owner })
    const addressOf = async (code: string) =>
      (await platform.test.kernel.services.get(tenantResolver).byCode(code))?.baseUrl
    const suffixed = async (suffix: string) => {
      await platform.admin.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: suffix })
      return addressOf('beta')
    }
    assert.deepEqual(
      [await addressOf('acme'), await addressOf('beta'), await suffixed('stoa.example'), await suffixed('')],
      [
        'https://www.acme.example',
        'https://stoa.example:8443',
        'https://beta.stoa.example:8443',
        'https://stoa.example:8443',
      ],
    )
  })

  it('is below localhost on a machine of a developer', async () => {
    await using platform = await startTestPlatform({ env: { PUBLIC_URL: 'http://localhost:3000' } })
    await platform.createTenant('acme')
    const resolver = platform.test.kernel.services.get(tenantResolver)
    const before = await resolver.byCode('acme')
    await platform.admin.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: 'lan.example' })
    const after = await resolver.byCode('acme')
    assert.deepEqual([before?.baseUrl, after?.baseUrl], ['http://acme.localhost:3000', 'http://acme.lan.example:3000'])
  })
})
