import { bindValue, type Binding } from './column-value.ts'
import { compileConditions, type Piece } from './compile-conditions.ts'
import { shownAs, type OutputColumn } from './output-column.ts'
import { listOf, recordOf, statementFault } from './statement-fault.ts'
import { quote, type StatementNames } from './statement-names.ts'

const maxRows = 1_000
const maxBindings = 20_000
const maxConflict = 16

/** A statement that changes rows, and the columns of the rows it gives back; none for those that only count. */
export interface CompiledWrite extends Piece {
  readonly output: readonly OutputColumn[]
}

type Parts = Readonly<Record<string, unknown>>
type Row = ReadonlyMap<string, Binding>

/** Compiles new rows, or with `conflict` rows that replace those that meet the same key. Every row is the tenant's. */
export function compileInsert(statement: Parts, names: StatementNames, tenantId: number): CompiledWrite {
  const rows = listOf(statement['values'], 'values', maxRows).map((values) => readRow(values, names, tenantId))
  if (rows.length === 0) throw statementFault('There is no row to write')
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  if (rows.length * (columns.length + 1) > maxBindings)
    throw statementFault('There are too many values in one statement')
  const bindings: Binding[] = []
  const tuples = rows.map((row) => {
    bindings.push(tenantId)
    const values = columns.map((column) => {
      const value = row.get(column)
      if (value === undefined) return 'default'
      bindings.push(value)
      return '?'
    })
    return `(${['?', ...values].join(', ')})`
  })
  const list = ['tenant_id', ...columns].map(quote).join(', ')
  const conflict = statement['operation'] === 'upsert' ? compileConflict(statement, names, columns) : ''
  const output = [...names.mainTable.columns.keys()].map((name) => shownAs(names.column(name)))
  const sql = `insert into ${names.source(names.main)} (${list}) values ${tuples.join(', ')}${conflict}${returning(output)}`
  return { sql, bindings, output }
}

/** Compiles one set of changes to the rows that meet the conditions. */
export function compileUpdate(statement: Parts, names: StatementNames, tenantId: number): CompiledWrite {
  const [changes, ...more] = listOf(statement['values'], 'values', maxRows)
  if (changes === undefined || more.length > 0) throw statementFault('An update needs one set of changes')
  const row = readRow(changes, names, tenantId)
  if (row.size === 0) throw statementFault('There is nothing to change')
  const where = tenantAnd(statement, names, tenantId)
  const sets = [...row.keys()].map((column) => `${quote(column)} = ?`)
  const sql = `update ${names.source(names.main)} set ${sets.join(', ')} where ${where.sql}`
  return { sql, bindings: [...row.values(), ...where.bindings], output: [] }
}

/** Compiles the deletion of the rows that meet the conditions. */
export function compileDelete(statement: Parts, names: StatementNames, tenantId: number): CompiledWrite {
  const where = tenantAnd(statement, names, tenantId)
  return { sql: `delete from ${names.source(names.main)} where ${where.sql}`, bindings: where.bindings, output: [] }
}

function tenantAnd(statement: Parts, names: StatementNames, tenantId: number): Piece {
  const own = { sql: `${quote(names.main)}."tenant_id" = ?`, bindings: [tenantId] }
  const pieces = [own, ...compileConditions(statement['where'], names)]
  return { sql: pieces.map(({ sql }) => sql).join(' and '), bindings: pieces.flatMap(({ bindings }) => bindings) }
}

/** A row as it is bound. `tenant_id` may be said, and must then be the call's own. */
function readRow(value: unknown, names: StatementNames, tenantId: number): Row {
  const entries = Object.entries(recordOf(value, 'A row'))
  const own = entries.filter(([name, item]) => {
    if (name !== 'tenant_id') return true
    if (item === tenantId) return false
    throw statementFault('A row of another tenant cannot be written')
  })
  return new Map(
    own.map(([name, item]) => {
      if (name.includes('.')) throw statementFault('A row has columns of its own table alone')
      return [name, bindValue(name, names.column(name), item)]
    }),
  )
}

/** The keys of a plugin's tables begin with the tenant, so the same key of another tenant is never met. */
function compileConflict(statement: Parts, names: StatementNames, written: readonly string[]): string {
  const asked = listOf(statement['conflict'], 'conflict', maxConflict).map((name) => names.column(name).name)
  const keys = asked.filter((name) => name !== 'tenant_id')
  if (keys.length === 0 || keys.some((name) => name.includes('.'))) {
    throw statementFault('An upsert needs the columns of the key that rows may meet')
  }
  const changed = written.filter((column) => !keys.includes(column))
  const target = ['tenant_id', ...keys].map(quote).join(', ')
  // Without a change the row stays, and still comes back.
  const sets = (changed.length > 0 ? changed : keys).map((column) => `${quote(column)} = excluded.${quote(column)}`)
  return ` on conflict (${target}) do update set ${sets.join(', ')}`
}

function returning(output: readonly OutputColumn[]): string {
  return ` returning ${output.map(({ sql, name }) => `${sql} as ${quote(name)}`).join(', ')}`
}
