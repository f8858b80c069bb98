import assert from 'node:assert/strict'
import { access } from '../../../core-plugins/access/contract.ts'
import { OrgNode } from '../../../core-plugins/access/records/org-models.ts'
import { inSubtrees } from '../../../core-plugins/access/records/subtree.ts'
import type { DataScopePlan, Principal } from '#kernel'
import type { Answer, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createMember, createOrg, createRole, heldBy } from './support.ts'

const outside = { status: 403, code: 4031, reason: 'data_scope' }

describe('a data scope', () => {
  let platform: TestPlatform
  let acme: TestTenant
  // head ─ north ─ (coast, hills)
  //      └ south
  let head: number
  let north: number
  let coast: number
  let hills: number
  let south: number
  before(async () => {
    platform = await startTestPlatform({ poolSize: 1 })
    acme = await platform.createTenant('acme')
    head = await createOrg(acme.owner, 'Head')
    north = await createOrg(acme.owner, 'North', head)
    coast = await createOrg(acme.owner, 'Coast', north)
    hills = await createOrg(acme.owner, 'Hills', north)
    south = await createOrg(acme.owner, 'South', head)
  })
  after(() => platform[Symbol.asyncDispose]())

  const planOf = (userId: number, permission: string): Promise<DataScopePlan> => {
    const caller = { tenantId: acme.id, userId } as Principal
    return platform.test.kernel.services.get(access).dataScope(caller, permission)
  }
  const role = (code: string, permissions: string[], more: object): Promise<number> =>
    createRole(acme.owner, code, permissions, more as Record<string, unknown>)
  const list = (ids: number[]): object => ({ kind: 'filter', orgIds: ids.toSorted((a, b) => a - b) })

  it('is what the role says: the own node, that and what is below, named nodes, or the own rows alone', async () => {
    const permissions = ['tenant_user:list']
    const custom = (with_children: boolean): object => ({ org_ids: [south, north], with_children })
    await role('below', permissions, { data_scope: 'ORG_AND_CHILDREN' })
    await role('only', permissions, { data_scope: 'ORG_ONLY' })
    await role('named', permissions, { data_scope: 'CUSTOM', data_scope_orgs: custom(false) })
    await role('deep', permissions, { data_scope: 'CUSTOM', data_scope_orgs: custom(true) })
    await role('self', permissions, { data_scope: 'SELF' })
    await role('every', permissions, { data_scope: 'ALL' })
    const expected: Record<string, (userId: number) => object> = {
      below: (userId) => ({ ...list([north, coast, hills]), userId }),
      only: (userId) => ({ ...list([north]), userId }),
      named: (userId) => ({ ...list([south, north]), userId }),
      deep: (userId) => ({ ...list([south, north, coast, hills]), userId }),
      self: (userId) => ({ ...list([]), userId }),
      every: () => ({ kind: 'all' }),
    }
    for (const [code, plan] of Object.entries(expected)) {
      const { id } = await createMember(platform, acme, code, [code], [north])
      assert.deepEqual(await planOf(id, 'tenant_user:list'), plan(id), code)
      assert.deepEqual(await planOf(id, 'tenant_user:delete'), { kind: 'none' }, code)
    }
  })

  it('of a node and those below leaves out a sibling whose number only begins alike', async () => {
    const { knex } = platform.test.kernel.database
    const sibling = north * 10
    await OrgNode.of(acme.id, knex).insert({
      ...{ id: sibling, parentId: head, name: 'Begins alike', depth: 2 },
      path: `/${head}/${sibling}/`,
    })
    const { id } = await createMember(platform, acme, 'alike', ['below'], [north])
    assert.deepEqual(await planOf(id, 'tenant_user:list'), { ...list([north, coast, hills]), userId: id })
    assert.deepEqual(await inSubtrees(OrgNode.of(acme.id, knex), []), [])
    await OrgNode.of(acme.id, knex).deleteById(sibling)
  })

  it('is united over the roles that grant the permission, and over no other', async () => {
    await role('auditor', ['tenant_user:list'], { data_scope: 'ALL' })
    await role('editor', ['tenant_user:list', 'tenant_user:update'], { data_scope: 'ORG_ONLY' })
    const { id } = await createMember(platform, acme, 'both', ['auditor', 'editor'], [coast, south])
    assert.deepEqual(
      [await planOf(id, 'tenant_user:list'), await planOf(id, 'tenant_user:update')],
      [{ kind: 'all' }, { ...list([coast, south]), userId: id }],
    )
  })

  it('may be another one for one resource', async () => {
    const more = { data_scope: 'SELF', data_scopes: { tenant_org: { scope: 'ORG_AND_CHILDREN' } } }
    await role('mixed', ['tenant_user:list', 'tenant_org:list'], more)
    const { id } = await createMember(platform, acme, 'mixed', ['mixed'], [north])
    assert.deepEqual(
      [await planOf(id, 'tenant_org:list'), await planOf(id, 'tenant_user:list')],
      [
        { ...list([north, coast, hills]), userId: id },
        { ...list([]), userId: id },
      ],
    )
  })

  it('follows the tree: a node that comes, goes or is disabled counts in the next request', async () => {
    await role('follower', ['tenant_user:list'], { data_scope: 'ORG_AND_CHILDREN' })
    const { id } = await createMember(platform, acme, 'follower', ['follower'], [south])
    const nodes = async (): Promise<unknown> => {
      const plan = await planOf(id, 'tenant_user:list')
      return plan.kind === 'filter' && plan.orgIds
    }
    const seen = [await nodes()]
    const added = await createOrg(acme.owner, 'Bay', south)
    seen.push(await nodes())
    dataOf(await acme.owner.post(`/tenant/orgs/${added}/move`, { parent_id: head }))
    seen.push(await nodes())
    dataOf(await acme.owner.put(`/tenant/orgs/${south}`, { status: 'disabled' }))
    seen.push(await nodes())
    dataOf(await acme.owner.put(`/tenant/orgs/${south}`, { status: 'active' }))
    dataOf(await acme.owner.delete(`/tenant/orgs/${added}`))
    assert.deepEqual(seen, [[south], [south, added], [south], []])
  })

  it('hides what is outside from an administrator of a node, and lets it write inside', async () => {
    const { api } = await createMember(platform, acme, 'northern', ['org_admin'], [north])
    const names = (items: Body): unknown => (items as unknown as Body[]).map(({ name }) => name)
    const tree = dataOf(await api.get('/tenant/orgs'))
    assert.deepEqual([tree['total'], names(tree['items'] as Body)], [3, ['North']])
    const refused: Answer[] = [
      await api.get(`/tenant/orgs/${south}`),
      await api.get(`/tenant/orgs/${head}`),
      await api.put(`/tenant/orgs/${south}`, { name: 'Mine' }),
      await api.get(`/tenant/orgs/${south}/members`),
      await api.put(`/tenant/orgs/${south}/members`, { user_ids: [acme.ownerId] }),
    ]
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body['code']]),
      Array(5).fill([404, 4040]),
    )
    assert.equal(dataOf(await api.put(`/tenant/orgs/${coast}`, { name: 'Shore' }))['name'], 'Shore')
  })

  it('that sees further than it writes refuses the write with 403', async () => {
    const scopes = { data_scope: 'ORG_AND_CHILDREN' }
    await role('seeing', ['tenant_org:list', 'tenant_org:detail'], { data_scope: 'ALL' })
    const writing = ['create', 'update', 'delete', 'move'].map((action) => `tenant_org:${action}`)
    await role('writing', writing, scopes)
    const { api } = await createMember(platform, acme, 'partly', ['seeing', 'writing'], [north])
    const refused = [
      await api.put(`/tenant/orgs/${south}`, { name: 'Mine' }),
      await api.delete(`/tenant/orgs/${south}`),
      await api.post('/tenant/orgs', { name: 'Under a foreign node', parent_id: south }),
      await api.post('/tenant/orgs', { name: 'At the top' }),
      await api.post(`/tenant/orgs/${south}/move`, { parent_id: north }),
      await api.post(`/tenant/orgs/${coast}/move`, { parent_id: south }),
      await api.post(`/tenant/orgs/${coast}/move`, { parent_id: null }),
      await api.post(`/tenant/orgs/${north}/move`, { parent_id: hills }),
    ]
    assert.deepEqual(refused.map(refusalOf), Array(8).fill(outside))
    assert.equal(dataOf(await api.post(`/tenant/orgs/${coast}/move`, { parent_id: hills }))['parent_id'], hills)
    assert.equal(dataOf(await api.post(`/tenant/orgs/${coast}/move`, { parent_id: north }))['parent_id'], north)
  })

  it('is checked when a role is written', async () => {
    const foreign = await createOrg((await platform.createTenant('foreign')).owner, 'Foreign')
    const bodies: readonly object[] = [
      { data_scope: 'CUSTOM' },
      { data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [foreign] } },
      { data_scopes: { tenant_user: { scope: 'CUSTOM' } } },
      { data_scopes: { tenant_role: { scope: 'ALL' } } },
      { data_scope: 'NONE' },
      { data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [] } },
    ]
    for (const body of bodies) {
      const { status, code } = refusalOf(await acme.owner.post('/tenant/roles', { code: 'bad', name: 'Bad', ...body }))
      assert.deepEqual([status, code], [422, 4220], JSON.stringify(body))
    }
    const custom = { data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [south], with_children: true } }
    const id = await role('kept', ['tenant_user:list'], custom)
    const { data_scope: scope, data_scope_orgs: orgs } = dataOf(await acme.owner.get(`/tenant/roles/${id}`))
    assert.deepEqual({ data_scope: scope, data_scope_orgs: orgs }, custom)
    const narrowed = dataOf(await acme.owner.put(`/tenant/roles/${id}`, { data_scope: 'SELF' }))
    assert.deepEqual([narrowed['data_scope'], narrowed['data_scope_orgs']], ['SELF', null])
  })

  it('of a role is never wider than its writer’s', async () => {
    const permissions = ['tenant_role:create', 'tenant_role:update', 'tenant_role:detail', 'tenant_user:list']
    await role('writer', permissions, { data_scope: 'ORG_AND_CHILDREN' })
    const { api } = await createMember(platform, acme, 'writer', ['writer'], [north])
    const make = (code: string, more: object): Promise<Answer> =>
      api.post('/tenant/roles', { code, name: code, permissions: ['tenant_user:list'], ...more })
    const custom = (...ids: number[]): object => ({ data_scope: 'CUSTOM', data_scope_orgs: { org_ids: ids } })
    const wider = [
      await make('w1', { data_scope: 'ALL' }),
      await make('w2', custom(south)),
      await make('w3', { data_scopes: { tenant_user: { scope: 'ALL' } } }),
    ]
    assert.deepEqual(wider.map(refusalOf), Array(3).fill(outside))
    const made = dataOf(await make('n1', custom(coast)), 201)
    dataOf(await make('n2', { data_scope: 'ORG_ONLY' }), 201)
    const widened = await api.put(`/tenant/roles/${Number(made['id'])}`, { data_scope: 'ALL' })
    assert.deepEqual(refusalOf(widened), outside)
    assert.deepEqual((await heldBy(api)).roles, ['writer'])
  })
})
