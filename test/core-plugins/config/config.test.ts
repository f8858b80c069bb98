import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { configReader } from '../../../core-plugins/config/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { admin, dump, errorsOf, itemsOf, owner, plugins, secretGroup } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'

describe('configuration groups over HTTP', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins: [...plugins, secretGroup] })))
  after(() => host[Symbol.asyncDispose]())

  it('stand as a tree without values, in the language asked for', async () => {
    const headers = { 'accept-language': 'zh-CN' }
    const { body } = await host.api.get('/admin/configs/groups', { token: admin, headers })
    const groups = body['data']?.['items'] as unknown as readonly Body[]
    const basic = groups.find((group) => (group['code'] as unknown) === 'platform_basic')
    const [domain] = basic?.['children'] as unknown as readonly Body[]
    assert.deepEqual(
      [basic?.['name'], domain?.['code'], domain?.['parent_code'], domain?.['item_count'], domain?.['items']],
      ['站点', 'platform_domain', 'platform_basic', 7, undefined],
    )
  })

  it('are the tenants’ own for a tenant, and the bare path follows the token', async () => {
    const codesOf = async (path: string, token: string): Promise<unknown> => {
      const { body } = await host.api.get(path, { token })
      return (body['data']?.['items'] as unknown as readonly Body[]).map(({ code }) => code)
    }
    const tenants = await codesOf('/tenant/configs/groups', owner)
    assert.deepEqual(tenants, [
      'tenant_basic',
      'tenant_login',
      'tenant_security',
      'tenant_feature',
      'tenant_legal',
      'tenant_domain',
      'tenant_storage',
      'plugin.mailer',
    ])
    assert.deepEqual(await codesOf('/configs/groups', owner), tenants)
    assert.deepEqual(await codesOf('/configs/groups', admin), await codesOf('/admin/configs/groups', admin))
  })

  it('ask for exactly the permissions of the table', async () => {
    const calls = [
      ['get', '/groups', 'groups'],
      ['get', '/groups/{}', 'detail'],
      ['put', '/groups/{}', 'update'],
    ] as const
    for (const [prefix, resource, code, tokenOf] of [
      ['/admin/configs', 'platform_config', 'platform_basic', platformToken],
      ['/configs', 'platform_config', 'platform_basic', platformToken],
      ['/tenant/configs', 'tenant_config', 'tenant_basic', (name: string) => tenantToken(5, name)],
      ['/configs', 'tenant_config', 'tenant_basic', (name: string) => tenantToken(5, name)],
    ] as const) {
      for (const [method, path, action] of calls) {
        const url = prefix + path.replace('{}', code)
        const call = (token: string): Promise<Answer> =>
          method === 'put' ? host.api.put(url, {}, { token }) : host.api.get(url, { token })
        const others = ['groups', 'detail', 'update', 'read'].filter((other) => other !== action)
        const refused = await call(tokenOf(`${resource}:${others[0]}`))
        assert.deepEqual(
          [refused.body['code'], refused.body['details'], (await call(tokenOf(`${resource}:${action}`))).status],
          [4031, { permission: `${resource}:${action}` }, 200],
          `${method} ${url}`,
        )
      }
    }
    assert.equal((await host.api.get('/admin/configs/groups', { token: owner })).body['code'], 4033)
    assert.equal((await host.api.get('/tenant/configs/groups', { token: admin })).body['code'], 4033)
    assert.equal((await host.api.get('/configs/groups')).body['code'], 4010)
  })

  it('show an item whole', async () => {
    const answer = await host.api.get('/admin/configs/groups/platform_security', { token: admin })
    assert.deepEqual(itemsOf(answer)['login_max_attempts'], {
      key: 'login_max_attempts',
      name: 'Failed logins before a lock',
      description: '',
      type: 'NUMBER',
      scope: 'ADMIN_ONLY',
      group: 'platform_security',
      value: 5,
      default: 5,
      source: 'code',
      is_set: false,
      required: true,
      readonly: false,
      public: true,
      sensitive: false,
      encrypted: false,
      sort: 10,
      rules: {
        min: 1,
        max: 20,
        min_value: null,
        max_value: null,
        min_length: null,
        max_length: null,
        format: null,
        pattern: null,
      },
      options: [],
      dynamic_options: false,
      options_source: null,
      ui: { placeholder: '', unit: '', visible_when: null },
      updated_at: null,
      updated_by: null,
      updated_by_name: null,
    })
    assert.equal(answer.headers['etag'], `"${answer.body['data']?.['etag'] as unknown as string}"`)
  })

  it('take flat and wrapped bodies, and say what changed', async () => {
    const url = '/admin/configs/groups/platform_basic'
    const put = async (body: unknown): Promise<unknown> => {
      const answer = await host.api.put(url, body, { token: admin })
      const { updated, unchanged, reset, pending, group } = answer.body['data'] ?? {}
      return [answer.status, group, updated, unchanged, reset, pending]
    }
    assert.deepEqual(await put({ site_name: ' Mine ', site_icp: '' }), [
      200,
      'platform_basic',
      ['site_name'],
      ['site_icp'],
      [],
      [],
    ])
    assert.deepEqual(await put({ values: { site_name: 'Mine' } }), [200, 'platform_basic', [], ['site_name'], [], []])
    assert.deepEqual(await put({ configs: { site_icp: '1' }, items: [{ key: 'site_copyright', value: '2' }] }), [
      200,
      'platform_basic',
      ['site_icp', 'site_copyright'],
      [],
      [],
      [],
    ])
    assert.deepEqual(await put({ reset: ['site_icp', 'site_name', 'site_favicon'] }), [
      200,
      'platform_basic',
      [],
      [],
      ['site_icp', 'site_name'],
      [],
    ])
    assert.deepEqual(await put({}), [200, 'platform_basic', [], [], [], []])
    const items = itemsOf(await host.api.get(url, { token: admin }))
    assert.deepEqual(
      [items['site_name']?.['value'], items['site_copyright']?.['value'], items['site_copyright']?.['updated_by']],
      ['AI Platform', '2', 1],
    )
  })

  it('refuse a body whole, with every fault at once', async () => {
    const before = await dump(host)
    const put = (code: string, body: unknown, token = admin): Promise<Answer> =>
      host.api.put(`/configs/groups/${code}`, body, { token })
    const faults = await put('platform_security', {
      login_max_attempts: 21,
      login_lockout_minutes: 'x',
      password_complexity: 'y',
      mfa_required: true,
    })
    assert.deepEqual(errorsOf(faults), [
      422,
      4222,
      ['login_max_attempts max', 'login_lockout_minutes type', 'password_complexity options'],
    ])
    const unknown = await put('platform_basic', { site_name: 'x', nothing: 1, __proto__x: 2 })
    assert.deepEqual(
      [unknown.status, unknown.body['code'], unknown.body['details']],
      [400, 4003, { keys: ['nothing', '__proto__x'] }],
    )
    assert.deepEqual(errorsOf(await put('platform_basic', { site_name: '' })), [422, 4222, ['site_name required']])
    assert.deepEqual(errorsOf(await put('platform_basic', { values: { site_name: 'x' }, reset: ['site_name'] })), [
      422,
      4222,
      ['site_name reset'],
    ])
    assert.deepEqual(errorsOf(await put('platform_basic', { values: [], reset: 'x' })), [
      422,
      4220,
      ['values type', 'reset type'],
    ])
    assert.deepEqual((await put('nothing', { a: 1 })).body['code'], 4049)
    assert.deepEqual((await put('platform_basic', { site_name: 'x' }, owner)).body['code'], 4049)
    assert.deepEqual(await dump(host), before)
  })

  it('keep secrets sealed, show a mask and keep the secret when the mask comes back', async () => {
    const url = '/tenant/configs/groups/plugin.mailer'
    const valueNow = async (): Promise<unknown> =>
      itemsOf(await host.api.get(url, { token: owner }))['plg_1_password']?.['value']
    const reader = host.kernel.services.get(configReader)
    assert.equal(await valueNow(), '')
    await host.api.put(url, { plg_1_password: 'hunter2' }, { token: owner })
    const answer = await host.api.put(url, { plg_1_password: '********', plg_1_port: 26 }, { token: owner })
    assert.deepEqual(
      [answer.body['data']?.['updated'], await valueNow(), await reader.get('plg_1_password', 5)],
      [['plg_1_port'], '********', 'hunter2'],
    )
    const stored = JSON.stringify(await dump(host))
    const audited: unknown = await host.kernel.database
      .knex('access_audit_log')
      .select('*')
      .queryContext({ tenant: 'all' })
    assert.ok(!(stored + JSON.stringify(audited)).includes('hunter2'))
    await host.api.put(url, { plg_1_password: '' }, { token: owner })
    assert.deepEqual([await valueNow(), await reader.get('plg_1_password', 5)], ['', ''])
  })

  it('leave a line in the log of whoever changed what', async () => {
    const as = { token: tenantToken(8, '*:*') }
    await host.api.put('/tenant/configs/groups/tenant_basic', { footer_copyright: 'Acme' }, as)
    const { body } = await host.api.get('/tenant/audit-logs', as)
    const [line] = body['data']?.['items'] as unknown as readonly Body[]
    assert.deepEqual(
      [line?.['action'], line?.['target'], line?.['before'], line?.['after'], line?.['actor']?.['user_id']],
      ['config.changed', 'config:tenant_basic', { footer_copyright: '' }, { footer_copyright: 'Acme' }, 801],
    )
  })
})
