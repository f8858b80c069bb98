// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access } from '../../../core-plugins/access/contract.ts'
import { generateFernetKey } from '#kernel'
import type { Answer, Api } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createMember, createOrg, createRole, heldBy } from './support.ts'

const above = { status: 403, code: 4031, reason: 'role_above_caller' }
const bind = (api: Api, org: number, ...roles: readonly object[]): Promise<Answer> =>
  api.put(`/tenant/orgs/${org}/roles`, { roles })

/** What the hosts of one platform have in common. */
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

describe('roles of organisation nodes', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let top: number
  let middle: number
  let leaf: number
  before(async () => {
    platform = await startTestPlatform({ env: secrets })
    acme = await platform.createTenant('acme')
    top = await createOrg(acme.owner, 'Top')
    middle = await createOrg(acme.owner, 'Middle', top)
    leaf = await createOrg(acme.owner, 'Leaf', middle)
    await createRole(acme.owner, 'lister', ['tenant_user:list'])
    await createRole(acme.owner, 'reader', ['tenant_role:list'])
    await createRole(acme.owner, 'local', ['tenant_menu:list'])
  })
  after(() => platform[Symbol.asyncDispose]())

  it('reach the members of the node and of those below, unless they stay there', async () => {
    dataOf(await bind(acme.owner, top, { code: 'lister' }, { code: 'local', inherit: false }))
    const up = await createMember(platform, acme, 'up', ['tenant_user'], [top])
    const down = await createMember(platform, acme, 'down', ['tenant_user'], [leaf])
    assert.deepEqual(
      [(await heldBy(up.api)).roles.toSorted(), (await heldBy(down.api)).roles.toSorted()],
      [
        ['lister', 'local', 'tenant_user'],
        ['lister', 'tenant_user'],
      ],
    )
    const { items, inherited } = dataOf(await acme.owner.get(`/tenant/orgs/${leaf}/roles`)) as unknown as {
      items: object[]
      inherited: { code: string; org_id: number }[]
    }
    assert.deepEqual([items, inherited.map(({ code, org_id: org }) => [code, org])], [[], [['lister', top]]])
    const { services, database } = platform.test.kernel
    const grants = services.get(access)
    const locked = await database.knex.transaction((trx) => grants.lockHolders(acme.id, 'local', trx))
    assert.deepEqual([await grants.holdersOf(acme.id, 'local'), locked], [[up.id], [up.id]])
  })

  it('come and go in the next request: by a binding, a disabled node, a disabled role, a move, a membership', async () => {
    const side = await createOrg(acme.owner, 'Side')
    const moving = await createOrg(acme.owner, 'Moving', side)
    const { id, api } = await createMember(platform, acme, 'follower', ['tenant_user'], [moving])
    const lists = async (): Promise<number> => (await api.get('/tenant/roles')).status
    const list = dataOf(await acme.owner.get('/tenant/roles?q=reader'))['items'] as unknown as { id: number }[]
    const role = `/tenant/roles/${Number(list[0]?.id)}`
    const steps: readonly (() => Promise<Answer>)[] = [
      () => bind(acme.owner, side, { code: 'reader' }),
      () => acme.owner.put(`/tenant/orgs/${side}`, { status: 'disabled' }),
      () => acme.owner.put(`/tenant/orgs/${side}`, { status: 'active' }),
      // The own node is off, and the one above that gives the role is not.
      () => acme.owner.put(`/tenant/orgs/${moving}`, { status: 'disabled' }),
      () => acme.owner.put(`/tenant/orgs/${moving}`, { status: 'active' }),
      () => acme.owner.put(role, { status: 'disabled' }),
      () => acme.owner.put(role, { status: 'active' }),
      () => acme.owner.post(`/tenant/orgs/${moving}/move`, { parent_id: null }),
      () => acme.owner.post(`/tenant/orgs/${moving}/move`, { parent_id: side }),
      () => acme.owner.delete(`/tenant/orgs/${moving}/members/${id}`),
    ]
    const seen = [await lists()]
    for (const step of steps) {
      dataOf(await step())
      seen.push(await lists())
    }
    assert.deepEqual(seen, [403, 200, 403, 200, 403, 200, 403, 200, 403, 200, 403])
  })

  it('are given only by who could give them', async () => {
    const permissions = ['list', 'detail', 'update', 'move', 'create'].map((action) => `tenant_org:${action}`)
    const users = ['tenant_user:list', 'tenant_user:update']
    await createRole(acme.owner, 'empty', [])
    await createRole(acme.owner, 'mighty', ['tenant_role:delete'])
    await createRole(acme.owner, 'planner', [...permissions, ...users], { data_scope: 'ALL' })
    await createRole(acme.owner, 'binder', [...permissions, 'tenant_role:assign'], { data_scope: 'ALL' })
    const strong = await createOrg(acme.owner, 'Strong')
    const weak = await createOrg(acme.owner, 'Weak')
    const below = await createOrg(acme.owner, 'Below', strong)
    dataOf(await bind(acme.owner, strong, { code: 'mighty' }))
    const planner = await createMember(platform, acme, 'planner', ['planner'], [weak])
    const binder = await createMember(platform, acme, 'binder', ['binder'], [weak])
    const refused = [
      await bind(planner.api, weak, { code: 'lister' }),
      await bind(binder.api, weak, { code: 'mighty' }),
      await bind(binder.api, strong),
      await planner.api.put(`/tenant/orgs/${strong}/members`, { user_ids: [planner.id] }),
      await planner.api.put(`/tenant/orgs/${below}/members`, { user_ids: [planner.id] }),
      await planner.api.post(`/tenant/orgs/${weak}/move`, { parent_id: strong }),
      await planner.api.post(`/tenant/orgs/${below}/move`, { parent_id: null }),
      await planner.api.put(`/tenant/orgs/${strong}`, { status: 'disabled' }),
      await planner.api.put(`/tenant/orgs/${weak}/members`, { user_ids: [acme.ownerId] }),
    ]
    assert.deepEqual(refused.map(refusalOf), Array(9).fill(above))
    dataOf(await bind(binder.api, weak, { code: 'empty' }))
    dataOf(await planner.api.put(`/tenant/orgs/${leaf}/members`, { user_ids: [planner.id] }))
    const assigned = await acme.owner.put(`/tenant/users/${planner.id}`, { org_ids: [strong] })
    assert.deepEqual([assigned.status, (await heldBy(planner.api)).roles.includes('mighty')], [200, true])
  })

  it('never include the one that somebody must hold in person', async () => {
    const answer = await bind(acme.owner, leaf, { code: 'tenant_owner' })
    assert.deepEqual(refusalOf(answer), { status: 400, code: 4002, reason: 'role_held_in_person' })
    const unknown = await bind(acme.owner, leaf, { code: 'super_admin' })
    assert.deepEqual([unknown.status, unknown.body['code']], [422, 4220])
  })

  it('draw nobody into a subtree who was out of reach', async () => {
    const [mine, theirs] = [await createOrg(acme.owner, 'Mine'), await createOrg(acme.owner, 'Theirs')]
    const stranger = await createMember(platform, acme, 'stranger', ['tenant_user'], [theirs])
    const { api } = await createMember(platform, acme, 'drawer', ['org_admin'], [mine])
    const answer = await api.put(`/tenant/orgs/${mine}/members`, { user_ids: [stranger.id] })
    assert.deepEqual(refusalOf(answer), { status: 403, code: 4031, reason: 'data_scope' })
    const owner = await api.put(`/tenant/orgs/${mine}/members`, { user_ids: [acme.ownerId] })
    assert.equal(owner.status, 403)
  })

  it('show nobody more by a membership than whoever gives it sees, also to themselves', async () => {
    const [near, far] = [await createOrg(acme.owner, 'Near'), await createOrg(acme.owner, 'Far')]
    await createRole(acme.owner, 'everywhere', ['tenant_org:update', 'tenant_user:update'], { data_scope: 'ALL' })
    await createRole(acme.owner, 'nearby', ['tenant_user:list'], { data_scope: 'ORG_ONLY' })
    const climber = await createMember(platform, acme, 'climber', ['everywhere', 'nearby'], [near])
    const join = (node: number) => climber.api.put(`/tenant/orgs/${node}/members`, { user_ids: [climber.id] })
    assert.deepEqual(refusalOf(await join(far)), { status: 403, code: 4031, reason: 'data_scope' })
    dataOf(await join(near))
  })

  it('count towards the twenty that a user holds at most', async () => {
    const crowded = await createOrg(acme.owner, 'Crowded')
    const codes = Array.from({ length: 19 }, (_, at) => `crowd_${at}`)
    for (const code of codes) await createRole(acme.owner, code, [])
    dataOf(await bind(acme.owner, crowded, ...codes.map((code) => ({ code }))))
    const { id, api } = await createMember(platform, acme, 'crowded', ['tenant_user'], [crowded])
    assert.equal((await heldBy(api)).roles.length, 20)
    const tooMany = { status: 400, code: 4002, reason: 'role_refused' }
    const more = await acme.owner.put(`/tenant/users/${id}`, { roles: ['tenant_user', 'lister'] })
    const bound = await bind(acme.owner, crowded, ...[...codes, 'lister'].map((code) => ({ code })))
    const moved = await acme.owner.post(`/tenant/orgs/${crowded}/move`, { parent_id: top })
    assert.deepEqual([more, bound, moved].map(refusalOf), Array(3).fill(tooMany))
    assert.equal((await heldBy(api)).roles.length, 20)
  })

  it('and who holds them are told: holders, nodes, permissions to choose from', async () => {
    const id = await createRole(acme.owner, 'told', ['tenant_user:list'])
    const { id: userId } = await createMember(platform, acme, 'told', ['told'], [])
    dataOf(await bind(acme.owner, leaf, { code: 'told', inherit: false }))
    const { items, orgs, total } = dataOf(await acme.owner.get(`/tenant/roles/${id}/users`))
    const [holder] = items as unknown as { user_id: number; user: { id: number; nickname: string } }[]
    assert.deepEqual(
      [holder?.user_id, holder?.user.id, orgs, total],
      [userId, userId, [{ org_id: leaf, inherit: false }], 1],
    )
    assert.ok(holder?.user.nickname)
    const offered = dataOf(await acme.owner.get('/tenant/permissions'))['items'] as unknown as {
      resource: string
      actions: { permission: string; grantable: boolean }[]
    }[]
    const resources = offered.map(({ resource }) => resource)
    assert.deepEqual([resources.includes('tenant_org'), resources.includes('platform_role')], [true, false])
    assert.equal(
      offered.every(({ actions }) => actions.every(({ grantable }) => grantable)),
      true,
    )
    const disabled = dataOf(await acme.owner.get('/tenant/roles?status=disabled'))
    assert.equal(disabled['total'], 0)
  })

  if (testRedisUrl()) {
    it('change on every host at once', async () => {
      const { databaseUrl, namespace } = platform.test
      await using second = await startTestKernel({ plugins: identityPlugins, env: secrets, databaseUrl, namespace })
      const node = await createOrg(acme.owner, 'Far')
      const { api } = await createMember(platform, acme, 'far', ['tenant_user'], [node])
      const there = api.at(second.url)
      const seen = [(await there.get('/tenant/roles')).status]
      dataOf(await bind(acme.owner, node, { code: 'reader' }))
      seen.push((await there.get('/tenant/roles')).status)
      dataOf(await bind(acme.owner, node))
      seen.push((await there.get('/tenant/roles')).status)
      assert.deepEqual(seen, [403, 200, 403])
    })
  }
})
