import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createMember, createOrg, createRole } from './support.ts'

interface Impact {
  readonly people: number | null
  readonly example: { readonly visible: number; readonly total: number } | null
  readonly menus: readonly { readonly name: string; readonly children: readonly { readonly name: string }[] }[]
}

describe('what a role would do', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let north: number
  let south: number
  let clerk: number
  const permissions = ['tenant_user:list']
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    north = await createOrg(acme.owner, 'North')
    south = await createOrg(acme.owner, 'South')
    clerk = await createRole(acme.owner, 'clerk', permissions, { data_scope: 'ORG_ONLY' })
    await createMember(platform, acme, 'one', ['clerk'], [north])
    await createMember(platform, acme, 'two', ['tenant_user'], [north])
    await createMember(platform, acme, 'three', ['tenant_user'], [south])
    // Those of another tenant are counted nowhere.
    const other = await platform.createTenant('other')
    await createMember(platform, other, 'stranger', ['tenant_user'], [])
  })
  after(() => platform[Symbol.asyncDispose]())

  const ask = async (by: Api, draft: object): Promise<Impact> =>
    dataOf(await by.post('/tenant/roles/preview', draft)) as unknown as Impact
  const namesOf = ({ menus }: Impact): readonly string[] =>
    menus.flatMap(({ name, children }) => [name, ...children.map((below) => below.name)])

  it('is told of those who hold it, and of what one of them would see by each scope', async () => {
    const of = async (scope: object): Promise<unknown> => {
      const { people, example } = await ask(acme.owner, { role_id: clerk, permissions, ...scope })
      return [people, example?.visible, example?.total]
    }
    assert.deepEqual(await of({}), [1, 2, 4])
    assert.deepEqual(await of({ data_scope: 'ALL' }), [1, 4, 4])
    assert.deepEqual(await of({ data_scope: 'SELF' }), [1, 1, 4])
    // Whoever holds it sees themselves besides the node that is named.
    assert.deepEqual(await of({ data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [south] } }), [1, 2, 4])
    assert.deepEqual(await of({ data_scopes: { tenant_user: { scope: 'SELF' } } }), [1, 1, 4])
    assert.equal((await ask(acme.owner, { permissions })).people, 0)
  })

  it('shows the navigation that these permissions open, and no more', async () => {
    const none = namesOf(await ask(acme.owner, { permissions: ['console_tenant:enter'] }))
    const some = namesOf(await ask(acme.owner, { permissions: ['console_tenant:enter', 'tenant_user:list'] }))
    assert.deepEqual(some.filter((name) => !none.includes(name)).includes('tenant_users'), true, some.join())
    assert.ok(!none.includes('tenant_users') && !some.includes('tenant_roles'), some.join())
  })

  it('writes nothing, and counts nobody whom the caller does not see', async () => {
    const before = dataOf(await acme.owner.get(`/tenant/roles/${clerk}`))
    await ask(acme.owner, { role_id: clerk, permissions: ['tenant_role:list'], data_scope: 'ALL' })
    assert.deepEqual(dataOf(await acme.owner.get(`/tenant/roles/${clerk}`)), before)
    await createRole(acme.owner, 'looker', ['tenant_role:detail', 'tenant_user:list'], { data_scope: 'ORG_ONLY' })
    await createRole(acme.owner, 'reader', ['tenant_role:detail'], { data_scope: 'ALL' })
    const looker = await createMember(platform, acme, 'looker', ['looker'], [south])
    const reader = await createMember(platform, acme, 'reader', ['reader'], [])
    const all = { role_id: clerk, permissions, data_scope: 'ALL' }
    const seen = await ask(looker.api, all)
    assert.deepEqual([seen.people, seen.example], [0, { visible: 2, total: 2 }])
    // Nor does it learn where a holder belongs whom it does not see: the own nodes stand for hers.
    const own = await ask(looker.api, { ...all, data_scope: 'ORG_ONLY' })
    assert.deepEqual([own.people, own.example], [0, { visible: 2, total: 2 }])
    const blind = await ask(reader.api, all)
    assert.deepEqual([blind.people, blind.example], [null, null])
  })

  it('is refused as a save would be', async () => {
    const refused = async (draft: object, by = acme.owner): Promise<unknown> =>
      refusalOf(await by.post('/tenant/roles/preview', draft)).status
    assert.deepEqual(
      [
        await refused({ permissions: ['tenant_user:fly'] }),
        await refused({ permissions, data_scope: 'CUSTOM' }),
        await refused({ permissions, data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [2_000_000_000] } }),
        await refused({ permissions, role_id: 2_000_000_000 }),
        await refused({ permissions }, (await createMember(platform, acme, 'four', ['tenant_user'], [])).api),
      ],
      [422, 422, 422, 404, 403],
    )
  })

  it('of the platform has no scope', async () => {
    const roles = dataOf(await platform.admin.get('/admin/roles?code=platform_auditor')) as unknown as {
      items: { id: number; permissions: string[] }[]
    }
    const [role] = roles.items
    const draft = { role_id: role?.id, permissions: role?.permissions }
    const { people, example } = dataOf(await platform.admin.post('/admin/roles/preview', draft)) as unknown as Impact
    assert.deepEqual([people, example], [0, null])
  })
})
