import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { tenantConfigWorkflow } from '../../../core-plugins/config/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { admin, dump, errorsOf, itemsOf, owner, plugins, secretGroup } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'

const policy = '/admin/configs/groups/platform_tenant_policy'
const mailer = '/tenant/configs/groups/plugin.mailer'
const brand = '/tenant/configs/groups/tenant_basic'

describe('a tenant’s change that the platform approves', () => {
  let host: TestKernel
  beforeEach(async () => {
    host = await startTestKernel({ plugins: [...plugins, secretGroup] })
    await approve('all')
  })
  afterEach(() => host[Symbol.asyncDispose]())

  const approve = (mode: string): Promise<Answer> =>
    host.api.put(policy, { tenant_config_approval: mode }, { token: admin })
  const put = (url: string, body: unknown, token = owner): Promise<Answer> => host.api.put(url, body, { token })
  const post = (path: string, token: string, body: unknown = {}): Promise<Answer> =>
    host.api.post(path, body, { token })
  const valueOf = async (url: string, key: string): Promise<unknown> =>
    itemsOf(await host.api.get(url, { token: owner }))[key]?.['value']
  const changes = async (token: string, query = ''): Promise<readonly Body[]> =>
    (await host.api.get(`/configs/changes${query}`, { token })).body['data']?.['items'] as unknown as readonly Body[]
  const latest = async (): Promise<Body> => (await changes(admin))[0]!

  it('waits, is shown to both sides with its secrets masked, and holds once it is approved', async () => {
    const before = await dump(host)
    const answer = await put(mailer, { plg_1_password: 'hunter2', plg_1_port: 26 })
    const { updated, pending, unchanged } = answer.body['data'] ?? {}
    assert.deepEqual([answer.status, updated, pending, unchanged], [202, [], ['plg_1_password', 'plg_1_port'], []])
    assert.deepEqual(await dump(host), before)
    const { id, requested_at: at, ...request } = (await changes(owner))[0]!
    assert.deepEqual(request, {
      tenant_id: 5,
      tenant: null,
      group: 'plugin.mailer',
      keys: ['plg_1_password', 'plg_1_port'],
      before: { plg_1_password: '', plg_1_port: 25 },
      after: { plg_1_password: '********', plg_1_port: 26 },
      state: 'pending',
      reason: '',
      requested_by: 501,
      requested_by_name: null,
      decided_by: null,
      decided_by_name: null,
      decided_at: null,
    })
    assert.ok(!Number.isNaN(Date.parse(at as unknown as string)))
    const rows: unknown = await host.kernel.database
      .knex('system_config_change_requests')
      .queryContext({ tenant: 'all' })
    assert.ok(!JSON.stringify(rows).includes('hunter2'))
    const approved = await post(`/admin/configs/changes/${id as unknown as string}/approve`, admin, { reason: 'fine' })
    const { state, reason, decided_by: by } = approved.body['data'] ?? {}
    assert.deepEqual([approved.status, state, reason, by], [200, 'applied', 'fine', 1])
    assert.deepEqual([await valueOf(mailer, 'plg_1_port'), await valueOf(mailer, 'plg_1_password')], [26, '********'])
  })

  it('stays as it was when it is rejected or cancelled, and is decided on once', async () => {
    for (const [path, token, state] of [
      ['reject', admin, 'rejected'],
      ['cancel', owner, 'cancelled'],
    ] as const) {
      await put(brand, { icp: 'new' })
      const id = (await latest())['id'] as unknown as string
      const decided = await post(`/configs/changes/${id}/${path}`, token)
      assert.deepEqual([decided.status, decided.body['data']?.['state']], [200, state])
      for (const again of ['approve', 'reject']) {
        const refused = await post(`/configs/changes/${id}/${again}`, admin)
        assert.deepEqual([refused.status, refused.body['code'], refused.body['details']], [409, 4094, { state }])
      }
      assert.equal(await valueOf(brand, 'icp'), '')
    }
    assert.deepEqual((await changes(owner, '?state=cancelled')).length, 1)
  })

  it('keeps others off its keys, but not off the rest', async () => {
    await put(brand, { icp: 'one' })
    const { id } = await latest()
    const second = await put(brand, { icp: 'two', footer_copyright: 'x' })
    assert.deepEqual(
      [second.status, second.body['code'], second.body['details']],
      [409, 4093, { keys: ['icp'], change_ids: [id] }],
    )
    assert.equal((await put(brand, { footer_copyright: 'x' })).status, 202)
    assert.equal((await put(brand, { icp: 'one' }, tenantToken(6, '*:*'))).status, 202)
    assert.equal((await put(brand, { icp: '' })).status, 200)
    assert.equal((await changes(owner)).length, 2)
  })

  it('concerns sensitive values alone where the platform says so', async () => {
    await approve('sensitive')
    const answer = await put(mailer, { plg_1_password: 'x', plg_1_port: 26 })
    const { updated, pending } = answer.body['data'] ?? {}
    assert.deepEqual([answer.status, updated, pending], [200, ['plg_1_port'], ['plg_1_password']])
    assert.equal((await put('/tenant/configs/groups/tenant_security', { mfa_required: true })).status, 202)
    await approve('off')
    assert.equal((await put(brand, { icp: 'now' })).status, 200)
  })

  it('waits for no one when the platform itself writes, and then ends what was asked before', async () => {
    await put(brand, { icp: 'asked' })
    const options = { actor: null }
    const submission = { groupCode: 'tenant_basic', tenantId: 5, values: { icp: 'decided' }, options }
    const { updated } = await host.kernel.services.get(tenantConfigWorkflow).submit(submission)
    assert.deepEqual([updated, await valueOf(brand, 'icp')], [['icp'], 'decided'])
    assert.equal((await latest())['state'], 'superseded')
  })

  it('has to be asked for again when what it began from has changed', async () => {
    await put(brand, { icp: 'asked' })
    const { id } = await latest()
    await host.api.put('/admin/configs/groups/tenant_basic', { icp: 'default' }, { token: admin })
    const answer = await post(`/admin/configs/changes/${id as unknown as string}/approve`, admin)
    assert.deepEqual(
      [answer.status, answer.body['code'], answer.body['reason'], (await latest())['state']],
      [409, 4094, 'config_change_superseded', 'superseded'],
    )
    assert.equal(await valueOf(brand, 'icp'), 'default')
  })

  it('is checked again by the rules of the day it is approved', async () => {
    const check = host.kernel.services.get(tenantConfigWorkflow)
    await put(brand, { icp: 'asked' })
    const { id } = await latest()
    using registered = new DisposableStack()
    registered.use(
      check.register({
        groups: ['tenant_basic'],
        check: () => [{ key: 'icp', rule: 'closed', message: { default: 'Closed' } }],
      }),
    )
    const answer = await post(`/admin/configs/changes/${id as unknown as string}/approve`, admin)
    assert.deepEqual([errorsOf(answer), (await latest())['state']], [[422, 4222, ['icp closed']], 'pending'])
  })

  it('can drop a value as well as set one', async () => {
    await approve('off')
    await put(brand, { icp: 'mine' })
    await approve('all')
    const answer = await put(brand, { reset: ['icp'] })
    assert.deepEqual([answer.status, answer.body['data']?.['pending']], [202, ['icp']])
    const { id, after } = await latest()
    assert.deepEqual(after, { icp: null })
    await post(`/admin/configs/changes/${id as unknown as string}/approve`, admin)
    const item = itemsOf(await host.api.get(brand, { token: owner }))['icp']
    assert.deepEqual([item?.['value'], item?.['source']], ['', 'code'])
  })

  it('is the business of its tenant and of the platform, with the permissions to write', async () => {
    await put(brand, { icp: 'asked' })
    const id = (await latest())['id'] as unknown as string
    const stranger = tenantToken(6, '*:*')
    const code = async (call: Promise<Answer>): Promise<unknown> => (await call).body['code']
    assert.deepEqual(await changes(stranger), [])
    assert.deepEqual(
      [
        await code(post(`/tenant/configs/changes/${id}/cancel`, stranger)),
        await code(post(`/tenant/configs/changes/${id}/approve`, owner)),
        await code(post(`/configs/changes/${id}/approve`, owner)),
        await code(post(`/configs/changes/${id}/cancel`, admin)),
        await code(post(`/admin/configs/changes/${id}/approve`, platformToken('platform_config:detail'))),
        await code(host.api.get('/tenant/configs/changes', { token: tenantToken(5, 'tenant_config:groups') })),
        await code(post('/admin/configs/changes/999/approve', admin)),
        await code(post('/admin/configs/changes/x/approve', admin)),
      ],
      [4040, 4044, 4033, 4033, 4031, 4031, 4040, 4221],
    )
    assert.equal((await latest())['state'], 'pending')
  })
})
