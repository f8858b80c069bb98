import assert from 'node:assert/strict'
import type { Api, Answer, Body } from '../../support/api.ts'
import { outcome, startUsersWorld, type UsersWorld } from './world.ts'

describe('the data scope of whoever manages users', () => {
  let world: UsersWorld
  let owner: Api
  let nodes: { readonly top: number; readonly sales: number; readonly team: number; readonly law: number }
  let head: { readonly id: number; readonly api: Api }
  const people: Record<string, number> = {}

  before(async () => {
    world = await startUsersWorld()
    owner = world.acme.owner
    const top = await world.node('Top')
    const sales = await world.node('Sales', top)
    nodes = { top, sales, team: await world.node('Team', sales), law: await world.node('Law', top) }
    for (const [name, node] of Object.entries(nodes)) people[name] = await create(name, [node])
    head = await world.platform.createUser(world.acme, 'head@acme.test', ['org_admin', 'tenant_user'])
    await put(head.id, { org_ids: [nodes.sales] })
  })
  after(() => world[Symbol.asyncDispose]())

  async function create(name: string, orgIds: readonly number[], by: Api = owner): Promise<number> {
    const user = { email: `${name}@people.test`, roles: ['tenant_user'], org_ids: orgIds }
    const made = await by.post('/tenant/users', user)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return Number(made.body['data']?.['id'])
  }
  const put = (id: number | undefined, change: object, by: Api = owner): Promise<Answer> =>
    by.put(`/tenant/users/${id}`, change)
  async function list(query: string, by: Api = owner): Promise<readonly unknown[]> {
    const { body } = await by.get(`/tenant/users?sort=email&${query}`)
    const items = body['data']?.['items'] as unknown as readonly Body[]
    return items.map(({ email }) => String(email as unknown).split('@')[0])
  }

  it('bounds the list to the members of the nodes, and the caller', async () => {
    assert.deepEqual(await list('', head.api), ['head', 'sales', 'team'])
  })

  it('hides everybody else', async () => {
    const path = `/tenant/users/${people['law']}`
    const answers = [
      await head.api.get(path),
      await put(people['law'], { nickname: 'x' }, head.api),
      await put(people['top'], { status: 'disabled' }, head.api),
      await head.api.get(`/tenant/users/${people['team']}`),
      await put(people['team'], { nickname: 'Team' }, head.api),
    ]
    assert.deepEqual(answers.map(outcome), [...Array<string>(3).fill('404 4040 not_found'), '200 0', '200 0'])
  })

  it('refuses writes to whom the caller sees but may not change', async () => {
    const everything = { code: 'watcher', name: 'Watcher', permissions: ['tenant_user:list'], data_scope: 'ALL' }
    await owner.post('/tenant/roles', everything)
    const watcher = await world.platform.createUser(world.acme, 'watcher@acme.test', ['org_admin', 'watcher'])
    await put(watcher.id, { org_ids: [nodes.team] })
    const answers = [
      await put(people['law'], { nickname: 'x' }, watcher.api),
      await watcher.api.get(`/tenant/users/${people['law']}`),
      await put(people['team'], { nickname: 'y' }, watcher.api),
    ]
    assert.ok((await list('page_size=100', watcher.api)).includes('law'))
    assert.deepEqual(answers.map(outcome), ['403 4031 data_scope', '404 4040 not_found', '200 0'])
  })

  it('tells whoever may see nobody nothing of who is there', async () => {
    const blind = { code: 'blind', name: 'Blind', permissions: ['tenant_user:update'], data_scope: 'SELF' }
    await owner.post('/tenant/roles', blind)
    const writer = await world.platform.createUser(world.acme, 'blind@acme.test', ['blind'])
    const answers = [
      await put(people['law'], { nickname: 'x' }, writer.api),
      await put(424_242, { nickname: 'x' }, writer.api),
    ]
    assert.deepEqual(answers.map(outcome), Array(2).fill('404 4040 not_found'))
  })

  it('keeps newcomers in reach, and nobody moves anybody out of it or into it', async () => {
    const made = await head.api.post('/tenant/users', { email: 'new@people.test', roles: ['tenant_user'] })
    const inLaw = { email: 'law2@people.test', roles: [], org_ids: [nodes.law] }
    const answers = [
      await head.api.post('/tenant/users', inLaw),
      await put(people['team'], { org_ids: [nodes.law] }, head.api),
      await put(people['team'], { org_ids: [nodes.team, nodes.top] }, head.api),
      await put(people['team'], { org_ids: [nodes.sales, nodes.team] }, head.api),
      await put(people['team'], { org_ids: [424_242] }),
    ]
    assert.deepEqual(made.body['data']?.['org_ids'], [nodes.sales])
    assert.deepEqual(answers[3]?.body['data']?.['org_ids'], [nodes.sales, nodes.team])
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [4031, 4031, 4031, 0, 4220],
    )
    assert.deepEqual(await list(`q=law2`), [])
  })

  it('leaves invitations to whoever made them, or sees everybody', async () => {
    const invite = async (by: Api) => Number((await by.post('/tenant/users/invites', {})).body['data']?.['id'])
    const [owners, own] = [await invite(owner), await invite(head.api)]
    const { body } = await head.api.get('/tenant/users/invites')
    const shown = (body['data']?.['items'] as unknown as readonly Body[]).map(({ id }) => Number(id))
    const path = '/tenant/users/invites'
    const answers = [await head.api.delete(`${path}/${owners}`), await owner.delete(`${path}/${owners}`)]
    answers.push(await owner.delete(`${path}/${own}`))
    assert.deepEqual([shown, answers.map(outcome)], [[own], ['404 4040 not_found', '200 0', '200 0']])
  })

  it('filters by role, node, status and text at once', async () => {
    assert.deepEqual(
      [
        await list(`org_id=${nodes.law}`),
        await list(`role=org_admin&q=head`),
        await list(`role=tenant_owner&org_id=${nodes.law}`),
        await list('role=emperor'),
        await list(`org_id=${nodes.law}`, head.api),
        await list('status=pending_approval'),
      ],
      [['law'], ['head'], [], [], [], []],
    )
  })

  it('ends with the account: nobody disables themselves, and the log tells who did what', async () => {
    const admin = await world.platform.createUser(world.acme, 'admin@acme.test', ['tenant_admin'])
    const own = await put(admin.id, { status: 'disabled' }, admin.api)
    await put(people['law'], { nickname: 'Lawyer' }, admin.api)
    const log = await owner.get(`/tenant/audit-logs?target=user:${people['law']}&limit=1`)
    const [entry] = log.body['data']?.['items'] as unknown as Record<string, unknown>[]
    assert.equal(outcome(own), '409 4094 own_account')
    assert.deepEqual(
      [entry?.['action'], (entry?.['after'] as { nickname?: string }).nickname],
      ['tenant_user.updated', 'Lawyer'],
    )
  })
})
