// @both-back-ends
import assert from 'node:assert/strict'
import { applyDataScope, enableTenantRows, TenantModel, type DataScopeColumns, type DataScopePlan } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'

class Note extends TenantModel {
  static override tableName = 'scoped_notes'
  declare id: number
  declare orgId: number | null
  declare createdBy: number
}

describe('a data scope on a query', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [] })
    const { knex } = host.kernel.database
    await knex.schema.createTable('scoped_notes', (table) => {
      table.increments('id')
      table.integer('tenant_id').notNullable()
      table.integer('org_id')
      table.integer('created_by').notNullable()
    })
    await enableTenantRows(knex, 'scoped_notes')
    const rows = [
      [10, 1],
      [11, 2],
      [null, 1],
      [12, 3],
    ] as const
    for (const tenant of [1, 2]) {
      await Note.of(tenant, knex).insert(rows.map(([orgId, createdBy]) => ({ tenantId: tenant, orgId, createdBy })))
    }
  })
  after(() => host[Symbol.asyncDispose]())

  const both = { org: 'org_id', owner: 'created_by' }
  const seen = async (plan: DataScopePlan, columns: DataScopeColumns = both): Promise<unknown> => {
    const query = Note.of(1, host.kernel.database.knex).orderBy('id')
    return (await applyDataScope(query, plan, columns)).map(({ orgId, createdBy }) => [orgId, createdBy])
  }
  const all = [
    [10, 1],
    [11, 2],
    [null, 1],
    [12, 3],
  ]

  const cases: readonly [string, DataScopePlan, DataScopeColumns, unknown][] = [
    ['lets everything through', { kind: 'all' }, both, all],
    ['lets nothing through', { kind: 'none' }, both, []],
    ['lets nodes and own rows through', { kind: 'filter', orgIds: [11, 12], userId: 1 }, both, all],
    ['lets one node through', { kind: 'filter', orgIds: [11], userId: 9 }, both, [[11, 2]]],
    ['lets own rows through', { kind: 'filter', orgIds: [], userId: 3 }, both, [[12, 3]]],
    [
      'knows tables without a node',
      { kind: 'filter', orgIds: [10, 11, 12], userId: 2 },
      { owner: 'created_by' },
      [[11, 2]],
    ],
  ]
  for (const [name, plan, columns, expected] of cases) {
    it(name, async () => {
      assert.deepEqual(await seen(plan, columns), expected)
    })
  }

  it('stays within the conditions of the query and within the tenant', async () => {
    const query = Note.of(1, host.kernel.database.knex).where('created_by', '<', 3)
    const plan = { kind: 'filter', orgIds: [12], userId: 1 } as const
    const rows = await applyDataScope(query, plan, both).orderBy('id')
    assert.deepEqual(
      rows.map(({ tenantId, orgId, createdBy }) => [tenantId, orgId, createdBy]),
      [
        [1, 10, 1],
        [1, null, 1],
      ],
    )
  })

  it('asks the index on nodes once, with however many nodes', () => {
    const { knex } = host.kernel.database
    const orgIds = Array.from({ length: 5_000 }, (_, at) => at + 1)
    const query = applyDataScope(Note.of(1, knex), { kind: 'filter', orgIds, userId: 1 }, both)
    const { sql, bindings } = query.toKnexQuery().toSQL()
    assert.deepEqual([/= any\(\?::int\[\]\)/.test(sql), bindings.length], [true, 3])
  })
})
