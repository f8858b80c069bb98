// @both-back-ends
import { deepEqual, throws } from 'node:assert/strict'
import { compileStatement } from '../../sandbox/broker/database/compile-statement.ts'
import { quote } from '../../sandbox/broker/database/statement-names.ts'
import type { PluginTable, TableColumn } from '../../sandbox/broker/database/table-catalogue.ts'

const integer: TableColumn = { family: 'integer', isArray: false, isNullable: true }
const tableOf = (name: string): [string, PluginTable] => [
  name,
  { realName: `plg_x_${name}`, columns: new Map(['id', 'parent', 'note'].map((column) => [column, integer])) },
]
const catalogue = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map(tableOf))
const compile = (statement: object, tenantId = 7) =>
  compileStatement(statement as never, catalogue, { tenantId, rows: 100, resultBytes: 1_000 })
const joins = (count: number) =>
  ['b', 'c', 'd', 'e', 'f'].slice(0, count).map((table) => ({ table, left: 'id', right: `${table}.parent` }))

/** Row-level security would hide what these leave out: here the statement itself is looked at. */
describe('a statement of a plugin, as it is sent', () => {
  it('joins only rows of one tenant, also for the platform, which reads them all', () => {
    for (const tenantId of [0, 7]) {
      const { sql } = compile({ operation: 'select', table: 'a', join: joins(2) }, tenantId)
      for (const table of ['b', 'c']) {
        deepEqual(sql.includes(`= "${table}"."parent" and "${table}"."tenant_id" = "a"."tenant_id"`), true, sql)
      }
    }
  })

  it('reads, changes and deletes with its tenant among the conditions', () => {
    const where = [{ column: 'id', operator: '=', value: 1 }]
    const statements = [
      { operation: 'select', table: 'a' },
      { operation: 'update', table: 'a', values: [{ note: 2 }] },
      { operation: 'delete', table: 'a' },
    ]
    for (const statement of statements) {
      const { sql, bindings, tenant } = compile(statement)
      deepEqual([sql.includes('where "a"."tenant_id" = ?'), bindings.includes(7), tenant], [true, true, 7], sql)
    }
    throws(() => compile({ operation: 'delete', table: 'a', where: [{ ...where[0], column: 'unknown' }] }))
  })

  it('meets its own key alone in an upsert, and writes no row of another', () => {
    const upsert = { operation: 'upsert', table: 'a', conflict: ['id'] }
    const { sql, bindings } = compile({ ...upsert, values: [{ id: 1, note: 2, tenant_id: 7 }] })
    deepEqual([sql.includes('on conflict ("tenant_id", "id")'), bindings.slice(0, 1)], [true, [7]], sql)
    throws(() => compile({ ...upsert, values: [{ id: 1, note: 2, tenant_id: 8 }] }), /another tenant/)
  })

  it('is bounded in joins, rows, offsets and values', () => {
    const select = { operation: 'select', table: 'a' }
    compile({ ...select, join: joins(4), offset: 1_000_000 })
    throws(() => compile({ ...select, join: joins(5) }))
    throws(() => compile({ ...select, offset: 1_000_001 }))
    throws(() => compile({ ...select, join: [joins(1)[0], joins(1)[0]] }), /twice/)
    deepEqual(compile({ ...select, limit: 1_000 }).bindings.includes(100), true)
    const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, parent: 1, note: 1 }))
    compile({ operation: 'insert', table: 'a', values: rows(1_000) })
    throws(() => compile({ operation: 'insert', table: 'a', values: rows(1_001) }))
  })

  it('has twenty thousand values at most, each row’s tenant among them', () => {
    const wide = Array.from({ length: 20 }, (_, index) => `c${index}`)
    const tables = new Map([['w', { realName: 'plg_x_w', columns: new Map(wide.map((name) => [name, integer])) }]])
    const insert = (columns: readonly string[]) => {
      const row = Object.fromEntries(columns.map((name) => [name, 1]))
      const statement = { operation: 'insert', table: 'w', values: Array.from({ length: 1_000 }, () => row) }
      return compileStatement(statement, tables, { tenantId: 7, rows: 100, resultBytes: 1_000 })
    }
    deepEqual(insert(wide.slice(1)).bindings.length, 20_000)
    throws(() => insert(wide), /too many values/)
  })

  it('has no name between quotes that could end them', () => {
    for (const name of ['', 'A', 'a"b', 'a b', '1a', 'a'.repeat(129), 'a;b', 'é']) throws(() => quote(name), name)
    deepEqual(quote('a_1.b'), '"a_1.b"')
    for (const as of ['n"; drop', 'N', '', 'a.b', 1]) {
      throws(() => compile({ operation: 'select', table: 'a', aggregates: [{ fn: 'count', as }] }), /small letters/)
    }
  })
})
