import assert from 'node:assert/strict'
import type { Answer, Body } from '../../support/api.ts'
import { countCpuTime } from '../../support/cpu-time.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createOrg } from './support.ts'

interface Row {
  readonly id: number
  readonly parent_id: number | null
  readonly path: string
  readonly depth: number
}

describe('a move in the organisation', () => {
  let platform: TestPlatform
  let tenant: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    tenant = await platform.createTenant('moving')
  })
  after(() => platform[Symbol.asyncDispose]())

  const rowsOf = async ({ id }: TestTenant): Promise<readonly Row[]> =>
    platform.test.kernel.database
      .knex('access_orgs')
      .queryContext({ tenant: id })
      .where({ tenant_id: id })
      .select<Row[]>('id', 'parent_id', 'path', 'depth')
  const move = (id: number, parentId: number | null): Promise<Answer> =>
    tenant.owner.post(`/tenant/orgs/${id}/move`, { parent_id: parentId })

  /** Every path and depth must be what the parents say, and every node must hang on the top. */
  function assertTree(rows: readonly Row[]): void {
    const byId = new Map(rows.map((row) => [row.id, row]))
    const pathOf = (row: Row, steps = 0): string => {
      assert.ok(steps <= rows.length, 'the parents go in a circle')
      const parent = row.parent_id === null ? undefined : byId.get(row.parent_id)
      return `${parent ? pathOf(parent, steps + 1) : '/'}${row.id}/`
    }
    const wrong = rows.filter((row) => row.path !== pathOf(row) || row.depth !== row.path.split('/').length - 2)
    assert.deepEqual(wrong, [])
  }

  it('takes everything below along', async () => {
    const a = await createOrg(tenant.owner, 'A')
    const b = await createOrg(tenant.owner, 'B', a)
    const c = await createOrg(tenant.owner, 'C', b)
    const d = await createOrg(tenant.owner, 'D')
    const moved = dataOf(await move(b, d))
    assert.deepEqual([moved['parent_id'], moved['path'], moved['depth']], [d, `/${d}/${b}/`, 2])
    assert.equal(dataOf(await tenant.owner.get(`/tenant/orgs/${c}`))['path'], `/${d}/${b}/${c}/`)
    const top = dataOf(await tenant.owner.post(`/tenant/orgs/${b}/move`, { parent_id: null, sort: 9 }))
    assert.deepEqual([top['path'], top['sort']], [`/${b}/`, 9])
    assertTree(await rowsOf(tenant))
  })

  it('tells before how many nodes and people it takes along, as far as the caller reaches', async () => {
    const a = await createOrg(tenant.owner, 'Counted')
    const b = await createOrg(tenant.owner, 'Below', a)
    await createOrg(tenant.owner, 'Aside')
    const id = dataOf(await tenant.owner.get('/auth/me'))['user']?.['id']
    for (const org of [a, b]) dataOf(await tenant.owner.put(`/tenant/orgs/${org}/members`, { user_ids: [id] }))
    const counted = async (org: number) =>
      dataOf(await tenant.owner.get(`/tenant/orgs/${org}?counts=true`))['counts'] as unknown
    assert.deepEqual(await counted(a), { nodes: 2, people: 1 })
    assert.deepEqual(await counted(b), { nodes: 1, people: 1 })
    assert.ok(!('counts' in dataOf(await tenant.owner.get(`/tenant/orgs/${a}`))))
  })

  it('under itself or what is below is refused', async () => {
    const a = await createOrg(tenant.owner, 'Round')
    const b = await createOrg(tenant.owner, 'And', a)
    const c = await createOrg(tenant.owner, 'About', b)
    const cycle = { status: 409, code: 4096, reason: 'org_cycle' }
    assert.deepEqual([await move(a, a), await move(a, c), await move(b, c)].map(refusalOf), Array(3).fill(cycle))
    assert.deepEqual(refusalOf(await move(2147483647, null)).status, 404)
  })

  it('that two make into each other ends in one refusal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const a = await createOrg(tenant.owner, 'Left')
      const b = await createOrg(tenant.owner, 'Right')
      const answers = await Promise.all([move(a, b), move(b, a)])
      assert.deepEqual(answers.map(({ status, body }) => [status, body['code']]).sort(), [
        [200, 0],
        [409, 4096],
      ])
    }
  })

  it('never breaks the tree, however many go on at once', async () => {
    const ids: number[] = []
    for (let at = 0; at < 20; at += 1) ids.push(await createOrg(tenant.owner, `N${at}`, ids[at >> 1] ?? null))
    const moves = Array.from({ length: 60 }, (_, at) => {
      const node = ids[(at * 7) % 20] ?? 0
      const parent = at % 5 === 0 ? null : (ids[(at * 11 + 3) % 20] ?? null)
      return move(node, parent)
    })
    const writes = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? tenant.owner.post('/tenant/orgs', { name: `New ${at}`, parent_id: ids[at] })
        : tenant.owner.delete(`/tenant/orgs/${ids[at]}`),
    )
    const answers = await Promise.all([...moves, ...writes])
    const statuses = new Set(answers.map(({ status, body }) => `${status} ${Number(body['code'])}`))
    const allowed = ['200 0', '201 0', '409 4096', '409 4095', '404 4040', '422 4220', '400 4002']
    assert.deepEqual([...statuses.difference(new Set(allowed))], [])
    assertTree(await rowsOf(tenant))
  })

  it('of a tree with thousands of nodes is quick, and so is reading it', async () => {
    const large = await platform.createTenant('large')
    const { knex } = platform.test.kernel.database
    const root = await createOrg(large.owner, 'Root')
    const other = await createOrg(large.owner, 'Other')
    await knex
      .raw(
        `with made as (select nextval('access_orgs_id_seq')::int as id, n from generate_series(1, 5000) as n)
         insert into access_orgs (id, tenant_id, parent_id, name, path, depth)
         select id, ?, ?, 'Node ' || n, '/' || ? || '/' || id || '/', 2 from made`,
        [large.id, root, root],
      )
      .queryContext({ tenant: large.id })
    const cpuTime = countCpuTime()
    const list = dataOf(await large.owner.get('/tenant/orgs'))
    assert.deepEqual(
      [list['nested'], list['total'], (list['items'] as unknown as Body[]).map((item) => item['has_children'])],
      [false, 2, [true, false]],
    )
    const level = dataOf(await large.owner.get(`/tenant/orgs?parent_id=${root}&page_size=100&page=50`))
    assert.deepEqual([level['total'], (level['items'] as unknown as Body[]).length], [5_000, 100])
    dataOf(await large.owner.post(`/tenant/orgs/${root}/move`, { parent_id: other }))
    assert.ok(cpuTime() < 2_000)
    assertTree(await rowsOf(large))
  })
})
