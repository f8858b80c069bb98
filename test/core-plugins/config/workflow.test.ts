import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  configOptions,
  configReader,
  configSecretMembers,
  tenantConfigWorkflow,
  type ConfigProposal,
  type TenantConfigWorkflow,
} from '../../../core-plugins/config/contract.ts'
import type { Answer } from '../../support/api.ts'
import { admin, dump, errorsOf, followsIn, itemsOf, owner, plugins } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { tenantToken } from '../../support/plain-identity.ts'
import { until } from '../../support/until.ts'

const login = '/tenant/configs/groups/tenant_login'
const brand = '/tenant/configs/groups/tenant_basic'

describe('a tenant’s write', () => {
  let host: TestKernel
  let workflow: TenantConfigWorkflow
  before(async () => {
    host = await startTestKernel({ plugins })
    workflow = host.kernel.services.get(tenantConfigWorkflow)
  })
  after(() => host[Symbol.asyncDispose]())

  const put = (url: string, body: unknown, token = owner): Promise<Answer> => host.api.put(url, body, { token })
  const outbox = async (): Promise<number> => (await followsIn(host)).length

  it('is refused for keys that the platform has locked, which are shown so; the platform’s own defaults stay open', async () => {
    const policy = '/admin/configs/groups/platform_tenant_policy'
    await put(policy, { tenant_locked_keys: ['icp', 'logo_url'] }, admin)
    const before = await dump(host)
    const answer = await put(brand, { icp: 'x', footer_copyright: 'y' })
    assert.deepEqual([errorsOf(answer), await dump(host)], [[422, 4222, ['icp locked']], before])
    assert.deepEqual(errorsOf(await put(brand, { reset: ['icp'] })), [422, 4222, ['icp locked']])
    const items = itemsOf(await host.api.get(brand, { token: owner }))
    assert.deepEqual([items['icp']?.['readonly'], items['footer_copyright']?.['readonly']], [true, false])
    assert.equal((await put('/admin/configs/groups/tenant_basic', { icp: 'all' }, admin)).status, 200)
    await put(policy, { reset: ['tenant_locked_keys'] }, admin)
    assert.equal((await put(brand, { icp: 'own' })).status, 200)
  })

  it('is refused for what is decided elsewhere, which its owner may write', async () => {
    const answer = await put('/tenant/configs/groups/tenant_domain', { subdomain: 'x' })
    assert.deepEqual(errorsOf(answer), [422, 4222, ['subdomain readonly']])
    const group = await host.api.get('/tenant/configs/groups/tenant_domain', { token: owner })
    const { group: shown } = group.body['data'] ?? {}
    assert.deepEqual([itemsOf(group)['subdomain']?.['readonly'], shown?.['readonly']], [true, true])
    const values = { storage_driver: 'local', storage_base_url: 'https://files.t5.test' }
    const options = { actor: null, includesReadonly: true }
    const result = await workflow.submit({ groupCode: 'tenant_storage', tenantId: 5, values, options })
    assert.deepEqual(result.updated, ['storage_driver', 'storage_base_url'])
    const reader = host.kernel.services.get(configReader)
    assert.equal(await reader.get('storage_base_url', 5), 'https://files.t5.test')
  })

  it('asks the checks of other plugins about all of the group as it would be, and says every fault at once', async () => {
    const proposals: ConfigProposal[] = []
    using registered = new DisposableStack()
    registered.use(
      workflow.register({
        groups: ['tenant_login'],
        async check(proposal) {
          proposals.push(proposal)
          const methods = proposal.values['login_methods'] as readonly string[]
          const message = { default: 'Needs {what}', 'zh-CN': '需要 {what}' }
          const objection = { key: 'login_methods', rule: 'sms_driver', message, params: { what: 'SMS' } }
          return Promise.resolve(methods.includes('sms_code') ? [objection] : [])
        },
      }),
    )
    const before = await dump(host)
    const refused = await put(login, { login_methods: ['sms_code'], allow_registration: 'x', login_title: 'T' })
    assert.deepEqual(errorsOf(refused), [422, 4222, ['allow_registration type', 'login_methods sms_driver']])
    assert.equal(refused.body['errors']?.['1']?.['message'], 'Needs SMS')
    assert.deepEqual(await dump(host), before)
    assert.deepEqual(
      [proposals[0]?.tenantId, proposals[0]?.keys, proposals[0]?.values['login_title']],
      [5, ['login_methods', 'login_title'], 'T'],
    )
    assert.deepEqual(errorsOf(await put('/configs/groups/tenant_login', { login_methods: ['sms_code'] }, admin)), [
      422,
      4222,
      ['login_methods sms_driver'],
    ])
    assert.equal((await put(login, { login_methods: ['password'] })).status, 200)
    const asked = proposals.length
    assert.equal((await put(login, { login_methods: ['password'] })).status, 200)
    assert.equal(proposals.length, asked)
  })

  it('is followed by the effects of its keys, and only by them', async () => {
    const seen: unknown[] = []
    using registered = new DisposableStack()
    registered.use(
      workflow.registerEffect({
        name: 'test.follow',
        keys: ['login_title', 'login_bg'],
        run: (change) => Promise.resolve(void seen.push(change)),
      }),
    )
    await put(login, { login_title: 'A', login_subtitle: 'B' })
    await put(login, { login_subtitle: 'C' })
    await put(login, { login_title: 'A' })
    const keys = ['login_title', 'login_subtitle']
    assert.deepEqual([seen, await outbox()], [[{ tenantId: 5, group: 'tenant_login', keys }], 0])
  })

  it('holds although an effect fails, which is tried again until it succeeds', async () => {
    let attempts = 0
    using registered = new DisposableStack()
    registered.use(
      workflow.registerEffect({
        name: 'test.fails',
        keys: ['login_title'],
        run: () => (++attempts < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
      }),
    )
    const answer = await put(login, { login_title: 'Held' })
    assert.deepEqual([answer.status, attempts, await outbox()], [200, 1, 1])
    assert.equal(itemsOf(await host.api.get(login, { token: owner }))['login_title']?.['value'], 'Held')
    await until(async () => (await outbox()) === 0)
    assert.equal(attempts, 3)
  })

  it('hides the secret members of JSON values as it hides passwords', async () => {
    const secrets = host.kernel.services.get(configSecretMembers)
    using registered = new DisposableStack()
    registered.use(secrets.register('storage_config', (member) => member === 'secret_access_key'))
    const write = (values: object): Promise<unknown> =>
      workflow.submit({
        groupCode: 'tenant_storage',
        tenantId: 7,
        values: { storage_config: values },
        options: { actor: null, includesReadonly: true },
      })
    const read = (): Promise<unknown> => host.kernel.services.get(configReader).get('storage_config', 7)
    await write({ bucket: 'one', secret_access_key: 'hunter3' })
    const url = '/tenant/configs/groups/tenant_storage'
    const shown = itemsOf(await host.api.get(url, { token: tenantToken(7, '*:*') }))['storage_config']?.['value']
    assert.deepEqual(shown, { bucket: 'one', secret_access_key: '********' })
    assert.ok(!JSON.stringify(await dump(host)).includes('hunter3'))
    await write({ bucket: 'two', secret_access_key: '********' })
    assert.deepEqual(await read(), { bucket: 'two', secret_access_key: 'hunter3' })
    await write({ bucket: 'three', secret_access_key: '' })
    assert.deepEqual(await read(), { bucket: 'three', secret_access_key: '' })
  })

  it('chooses among options that another plugin lists', async () => {
    using _options = host.kernel.services.get(configOptions).register('default_role', (tenantId) => {
      return Promise.resolve([{ label: { default: 'Ours' }, value: `role_${tenantId}`, disabled: true }])
    })
    const { headers, ...answer } = await host.api.get(login, { token: owner })
    const item = itemsOf({ headers, ...answer })['default_role']
    assert.deepEqual(item?.['options'], [{ label: 'Ours', value: 'role_5', disabled: true }])
    _options[Symbol.dispose]()
    assert.equal((await host.api.get(login, { token: owner })).headers['etag'], headers['etag'])
  })
})
