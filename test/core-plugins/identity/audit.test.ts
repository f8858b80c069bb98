import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { createOrg } from '../access/support.ts'

describe('the log of writes on users', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ poolSize: 1 })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  /** What the newest lines about a user say of roles and nodes, the oldest first. */
  async function written(by: Api, area: 'admin' | 'tenant', id: number): Promise<readonly unknown[]> {
    const lines = dataOf(await by.get(`/${area}/audit-logs?target=user:${id}`))['items'] as unknown as readonly Body[]
    const held = (state: Body | undefined): unknown => state && [state['roles'], state['org_ids']]
    return lines.map(({ action, before, after }) => [action, held(before), held(after)]).reverse()
  }

  it('tells the roles and nodes held before and after', async () => {
    const { owner } = acme
    const [north, south] = [await createOrg(owner, 'North'), await createOrg(owner, 'South')]
    const body = { email: 'ann@acme.test', roles: ['tenant_user'], org_ids: [north] }
    const id = Number(dataOf(await owner.post('/tenant/users', body), 201)['id'])
    dataOf(await owner.put(`/tenant/users/${id}`, { nickname: 'Ann' }))
    dataOf(await owner.put(`/tenant/users/${id}`, { roles: ['tenant_guest'], org_ids: [south, north] }))
    dataOf(await owner.delete(`/tenant/users/${id}`))
    const [first, second] = [
      [['tenant_user'], [north]],
      [['tenant_guest'], [south, north]],
    ]
    assert.deepEqual(await written(owner, 'tenant', id), [
      ['tenant_user.created', null, first],
      ['tenant_user.updated', first, first],
      ['tenant_user.updated', first, second],
      ['tenant_user.deleted', second, null],
    ])
  })

  it('tells the same of the platform’s own users', async () => {
    const { admin } = platform
    const body = { email: 'staff@stoa.test', roles: ['platform_auditor'] }
    const id = Number(dataOf(await admin.post('/admin/users', body), 201)['id'])
    dataOf(await admin.put(`/admin/users/${id}`, { roles: ['platform_operator', 'platform_auditor'] }))
    const both = [['platform_operator', 'platform_auditor'], []]
    assert.deepEqual(await written(admin, 'admin', id), [
      ['platform_user.created', null, [['platform_auditor'], []]],
      ['platform_user.updated', [['platform_auditor'], []], both],
    ])
  })
})
