import assert from 'node:assert/strict'
import { codeOf } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { createMember, createOrg, createRole, heldBy } from '../access/support.ts'

describe('an attacker among the administrators of a node', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let root: number
  let branch: number
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    root = await createOrg(acme.owner, 'root')
    branch = await createOrg(acme.owner, 'branch', root)
    const below = { data_scope: 'ORG_AND_CHILDREN' }
    await createRole(acme.owner, 'keeper', ['tenant_user:*', 'tenant_role:assign', 'tenant_org:*'], below)
  })
  after(() => platform[Symbol.asyncDispose]())

  const refused = [403, 4031]

  it('does not take over somebody of the own node who sees more through another', async () => {
    const attacker = await createMember(platform, acme, 'one', ['tenant_user', 'keeper'], [branch])
    const victim = await createMember(platform, acme, 'two', ['tenant_user', 'keeper'], [root, branch])
    const peer = await createMember(platform, acme, 'three', ['tenant_user', 'keeper'], [branch])
    const path = `/tenant/users/${victim.id}`
    const answers = [
      await attacker.api.put(path, { email: 'attacker@acme.test' }),
      await attacker.api.post(`${path}/reset-password`, {}),
      await attacker.api.delete(`${path}/sessions`),
      await attacker.api.delete(path),
    ]
    assert.deepEqual(answers.map(codeOf), Array(answers.length).fill(refused))
    assert.deepEqual(codeOf(await attacker.api.put(`/tenant/users/${peer.id}`, { nickname: 'Peer' })), [200, 0])
  })

  it('gives nobody a role that shows them more than the attacker sees', async () => {
    const attacker = await createMember(platform, acme, 'four', ['tenant_user', 'keeper'], [branch])
    const puppet = await createMember(platform, acme, 'five', ['tenant_user'], [root, branch])
    const colleague = await createMember(platform, acme, 'six', ['tenant_user'], [branch])
    const give = (id: number) => attacker.api.put(`/tenant/users/${id}`, { roles: ['tenant_user', 'keeper'] })
    assert.deepEqual([codeOf(await give(puppet.id)), codeOf(await give(colleague.id))], [refused, [200, 0]])
  })

  it('makes nobody an owner, although no permission is missing', async () => {
    const { permissions } = await heldBy(acme.owner)
    await createRole(acme.owner, 'everything', permissions as string[], { data_scope: 'ALL' })
    const attacker = await createMember(platform, acme, 'all', ['everything'], [root])
    const puppet = await createMember(platform, acme, 'doll', ['tenant_user'], [root])
    const give = (roles: readonly string[]) => attacker.api.put(`/tenant/users/${puppet.id}`, { roles })
    assert.deepEqual([codeOf(await give(['tenant_owner'])), codeOf(await give(['everything']))], [refused, [200, 0]])
  })

  it('does not move up to where the own roles show more', async () => {
    await createRole(acme.owner, 'people', ['tenant_user:*', 'tenant_org:update'], { data_scope: 'ALL' })
    await createRole(acme.owner, 'nodes', ['tenant_org:delete'], { data_scope: 'ORG_AND_CHILDREN' })
    const attacker = await createMember(platform, acme, 'seven', ['people', 'nodes'], [branch])
    const answers = [
      await attacker.api.put(`/tenant/users/${attacker.id}`, { org_ids: [root, branch] }),
      await attacker.api.put(`/tenant/orgs/${root}/members`, { user_ids: [attacker.id] }),
    ]
    assert.deepEqual(answers.map(codeOf), [refused, refused])
  })

  it('does not draw a foreign branch below the own nodes', async () => {
    const foreign = await createOrg(acme.owner, 'foreign')
    await createRole(acme.owner, 'mover', ['tenant_org:move', 'tenant_org:list'], { data_scope: 'ALL' })
    const roles = ['tenant_user', 'keeper', 'mover']
    const attacker = await createMember(platform, acme, 'eleven', roles, [branch])
    const move = (to: number) => attacker.api.post(`/tenant/orgs/${foreign}/move`, { parent_id: to })
    assert.deepEqual([codeOf(await move(branch)), codeOf(await move(root))], [refused, [200, 0]])
  })

  it('has no node give a role to members who would see more with it than the attacker', async () => {
    const shop = await createOrg(acme.owner, 'shop', branch)
    const attacker = await createMember(platform, acme, 'eight', ['tenant_user', 'keeper'], [branch])
    await createMember(platform, acme, 'nine', ['tenant_user'], [root, shop])
    const bind = (id: number) => attacker.api.put(`/tenant/orgs/${id}/roles`, { roles: [{ code: 'keeper' }] })
    const quiet = await createOrg(acme.owner, 'quiet', branch)
    assert.deepEqual([codeOf(await bind(shop)), codeOf(await bind(quiet))], [refused, [200, 0]])
  })

  it('widens no role that somebody holds who would see more with it than the attacker', async () => {
    const rights = ['tenant_role:update', 'tenant_user:list']
    await createRole(acme.owner, 'editor', rights, { data_scope: 'ORG_AND_CHILDREN' })
    const held = await createRole(acme.owner, 'narrow', ['tenant_user:list'], { data_scope: 'SELF' })
    const free = await createRole(acme.owner, 'unused', ['tenant_user:list'], { data_scope: 'SELF' })
    await createMember(platform, acme, 'twelve', ['narrow'], [root, branch])
    const attacker = await createMember(platform, acme, 'thirteen', ['editor'], [branch])
    const widen = (id: number) => attacker.api.put(`/tenant/roles/${id}`, { data_scope: 'ORG_AND_CHILDREN' })
    assert.deepEqual([codeOf(await widen(held)), codeOf(await widen(free))], [refused, [200, 0]])
  })

  it('takes no right from a role that the attacker does not hold', async () => {
    const all = { data_scope: 'ALL' }
    const id = await createRole(acme.owner, 'treasurer', ['tenant_config:update', 'tenant_user:list'], all)
    await createRole(acme.owner, 'clerk', ['tenant_role:*', 'tenant_user:list'], all)
    const attacker = await createMember(platform, acme, 'ten', ['clerk'], [])
    const strip = (permissions: readonly string[]) => attacker.api.put(`/tenant/roles/${id}`, { permissions })
    assert.deepEqual(
      [codeOf(await strip(['tenant_user:list'])), codeOf(await strip(['tenant_config:update']))],
      [refused, [200, 0]],
    )
  })
})
