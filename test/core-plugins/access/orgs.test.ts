import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createOrg } from './support.ts'

const codeOf = ({ status, body }: Answer): unknown => [status, body['code'], body['reason']]
const none = [404, 4040, 'not_found']

describe('the organisation', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    // With one connection a query that forgot its transaction waits for ever.
    platform = await startTestPlatform({ poolSize: 1 })
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
  })
  after(() => platform[Symbol.asyncDispose]())

  const itemsOf = (answer: Answer): readonly Body[] => dataOf(answer)['items'] as unknown as Body[]
  const outline = (items: readonly Body[]): unknown[] =>
    items.map(({ name, children }) => [name, ...outline(children as unknown as Body[])])

  it('is a tree in the order of its sort numbers', async () => {
    const tenant = await platform.createTenant('tree')
    const head = await createOrg(tenant.owner, 'Head')
    await createOrg(tenant.owner, 'Second', head, { sort: 2 })
    const first = await createOrg(tenant.owner, 'First', head, { sort: 1 })
    await createOrg(tenant.owner, 'Below', first)
    const whole = await tenant.owner.get('/tenant/orgs')
    assert.deepEqual(outline(itemsOf(whole)), [['Head', ['First', ['Below']], ['Second']]])
    const { total, nested } = dataOf(whole)
    assert.deepEqual([total, nested], [4, true])
    const level = itemsOf(await tenant.owner.get(`/tenant/orgs?parent_id=${head}`))
    assert.deepEqual(
      level.map(({ name, has_children: has, children }) => [name, has, children]),
      [
        ['First', true, []],
        ['Second', false, []],
      ],
    )
    const found = itemsOf(await tenant.owner.get('/tenant/orgs?q=elo'))
    assert.deepEqual(
      found.map(({ name, depth }) => [name, depth]),
      [['Below', 3]],
    )
    const named = itemsOf(await tenant.owner.get(`/tenant/orgs?ids=${first},2147483647`))
    assert.deepEqual(
      named.map(({ name }) => name as unknown),
      ['First'],
    )
  })

  it('keeps what is said of a node', async () => {
    const { owner, ownerId } = acme
    const id = await createOrg(owner, 'Sales', null, { code: 'sales', leader_id: ownerId })
    const changed = dataOf(await owner.put(`/tenant/orgs/${id}`, { name: 'Selling', sort: 7, status: 'disabled' }))
    const read = dataOf(await owner.get(`/tenant/orgs/${id}`))
    assert.deepEqual(read, changed)
    const { created_at: created, updated_at: updated, ...rest } = read
    assert.deepEqual([typeof created, typeof updated], ['string', 'string'])
    assert.deepEqual(rest, {
      id,
      parent_id: null,
      code: 'sales',
      name: 'Selling',
      path: `/${id}/`,
      depth: 1,
      sort: 7,
      leader_id: ownerId,
      status: 'disabled',
    })
  })

  it('refuses what cannot be: twice the same code, unknown parents and leaders, fields that are not there', async () => {
    const { owner } = acme
    const foreign = await createOrg(other.owner, 'Foreign')
    await createOrg(owner, 'One', null, { code: 'taken' })
    const post = (body: unknown): Promise<Answer> => owner.post('/tenant/orgs', body)
    const answers = [
      await post({ name: 'Two', code: 'taken' }),
      await post({ name: 'Two', parent_id: foreign }),
      await post({ name: 'Two', parent_id: 2147483647 }),
      await post({ name: 'Two', leader_id: other.ownerId }),
      await post({ name: 'Two', path: '/1/' }),
      await post({ name: '  ' }),
      await post({ name: 'x'.repeat(129) }),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [409, 4091, 'org_code_taken'],
      ...Array<unknown>(6).fill([422, 4220, 'validation_failed']),
    ])
    assert.deepEqual(answers[0]?.body['details'], { field: 'code' })
    await createOrg(other.owner, 'Elsewhere', null, { code: 'taken' })
  })

  it('gives up a node only when nothing stands on it', async () => {
    const { owner, ownerId } = acme
    const parent = await createOrg(owner, 'Parent')
    const child = await createOrg(owner, 'Child', parent)
    const member = await createOrg(owner, 'With a member')
    const named = await createOrg(owner, 'Named')
    const remove = (id: number): Promise<Answer> => owner.delete(`/tenant/orgs/${id}`)
    dataOf(await owner.put(`/tenant/orgs/${member}/members`, { user_ids: [ownerId] }))
    const custom = { data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [named] } }
    const role = dataOf(await owner.post('/tenant/roles', { code: 'seer', name: 'Seer', ...custom }), 201)
    const refused = [await remove(parent), await remove(member), await remove(named)]
    assert.deepEqual(
      refused.map((answer) => [...Object.values(refusalOf(answer)), answer.body['details']?.['by']]),
      [
        [409, 4095, 'org_in_use', { children: 1, members: 0, roles: 0 }],
        [409, 4095, 'org_in_use', { children: 0, members: 1, roles: 0 }],
        [409, 4095, 'org_in_use', { children: 0, members: 0, roles: 1 }],
      ],
    )
    dataOf(await owner.delete(`/tenant/orgs/${member}/members/${ownerId}`))
    dataOf(await owner.delete(`/tenant/roles/${Number(role['id'])}`))
    for (const id of [child, parent, member, named]) assert.deepEqual(dataOf(await remove(id)), { deleted: true })
    assert.deepEqual(codeOf(await remove(child)), none)
  })

  it('is at most 32 levels deep', async () => {
    let id: number | null = null
    for (let level = 1; level <= 32; level += 1) id = await createOrg(acme.owner, `Level ${level}`, id)
    const deeper = await acme.owner.post('/tenant/orgs', { name: 'Deeper', parent_id: id })
    assert.deepEqual(codeOf(deeper), [400, 4002, 'org_too_deep'])
    const pair = await createOrg(acme.owner, 'Pair')
    const moved = await acme.owner.post(`/tenant/orgs/${pair}/move`, { parent_id: id })
    assert.deepEqual(codeOf(moved), [400, 4002, 'org_too_deep'])
  })

  it('of another tenant is not there', async () => {
    const id = await createOrg(acme.owner, 'Private')
    const path = `/tenant/orgs/${id}`
    const by = other.owner
    const answers = [
      await by.get(path),
      await by.put(path, { name: 'Mine' }),
      await by.delete(path),
      await by.post(`${path}/move`, { parent_id: null }),
      await by.get(`${path}/roles`),
      await by.put(`${path}/roles`, { roles: [] }),
      await by.get(`${path}/members`),
      await by.put(`${path}/members`, { user_ids: [other.ownerId] }),
      await by.delete(`${path}/members/${other.ownerId}`),
    ]
    assert.deepEqual(answers.map(codeOf), Array(9).fill(none))
    const into = await createOrg(other.owner, 'Their own')
    const moved = await by.post(`/tenant/orgs/${into}/move`, { parent_id: id })
    assert.deepEqual([moved.status, moved.body['code']], [422, 4220])
    const member = await by.put(`/tenant/orgs/${into}/members`, { user_ids: [acme.ownerId] })
    assert.deepEqual([member.status, member.body['code']], [422, 4220])
  })

  it('leaves a line in the log for every write', async () => {
    const tenant = await platform.createTenant('logged')
    const { owner, ownerId } = tenant
    const id = await createOrg(owner, 'Logged')
    const path = `/tenant/orgs/${id}`
    const writes: ((api: Api) => Promise<Answer>)[] = [
      (api) => api.put(path, { name: 'Renamed' }),
      (api) => api.post(`${path}/move`, { parent_id: null, sort: 3 }),
      (api) => api.put(`${path}/roles`, { roles: [{ code: 'tenant_user' }] }),
      (api) => api.put(`${path}/members`, { user_ids: [ownerId] }),
      (api) => api.delete(`${path}/members/${ownerId}`),
      (api) => api.delete(path),
    ]
    for (const write of writes) dataOf(await write(owner))
    const lines = itemsOf(await owner.get('/tenant/audit-logs?action=tenant_org'))
    assert.deepEqual(
      lines.map(({ action, target }) => [action, target]),
      ['deleted', 'members_removed', 'members_added', 'roles_updated', 'moved', 'updated', 'created'].map((what) => [
        `tenant_org.${what}`,
        `org:${id}`,
      ]),
    )
  })
})
