import { bindValue, type Binding } from './column-value.ts'
import { compileConditions, type Piece } from './compile-conditions.ts'
import { shownAs, type OutputColumn } from './output-column.ts'
import { listOf, recordOf, statementFault } from './statement-fault.ts'
import { quote, type NamedColumn, type StatementNames } from './statement-names.ts'

const maxRows = 1_000
const maxBindings = 20_000
const maxConflict = 16
const maxColumns = 200
const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'numeric'])

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
  const output = returned(statement, names) ?? allColumns(names)
  const sql = `insert into ${names.source(names.main)} (${list}) values ${tuples.join(', ')}${conflict}${returning(output)}`
  return { sql, bindings, output }
}

/** Compiles one set of changes to the rows that meet the conditions: new values, and what is added to numbers. */
export function compileUpdate(statement: Parts, names: StatementNames, tenantId: number): CompiledWrite {
  const [changes = {}, ...more] = listOf(statement['values'], 'values', maxRows)
  if (more.length > 0) throw statementFault('An update needs one set of changes')
  const row = readRow(changes, names, tenantId)
  const increments = recordOf(statement['increments'] ?? {}, 'What is added')
  for (const name of Object.keys(increments)) incremented(names.column(name))
  const added = readRow(increments, names, tenantId)
  if (row.size + added.size === 0) throw statementFault('There is nothing to change')
  const twice = [...added.keys()].find((column) => row.has(column))
  if (twice !== undefined) throw statementFault(`${twice} is changed twice`)
  const sets = [...row.keys()].map((column) => `${quote(column)} = ?`)
  for (const column of added.keys()) sets.push(`${quote(column)} = ${incremented(names.column(column))} + ?`)
  const where = tenantAnd(statement, names, tenantId)
  const output = returned(statement, names) ?? []
  const sql = `update ${names.source(names.main)} set ${sets.join(', ')} where ${where.sql}${returning(output)}`
  return { sql, bindings: [...row.values(), ...added.values(), ...where.bindings], output }
}

/** A number that is not there counts as nothing. */
function incremented({ name, sql, family, isArray }: NamedColumn): string {
  if (!isArray && numbers.has(family)) return `coalesce(${sql}, 0)`
  throw statementFault(`${name} is no number that could be added to`)
}

/** Compiles the deletion of the rows that meet the conditions. */
export function compileDelete(statement: Parts, names: StatementNames, tenantId: number): CompiledWrite {
  const where = tenantAnd(statement, names, tenantId)
  const output = returned(statement, names) ?? []
  const sql = `delete from ${names.source(names.main)} where ${where.sql}${returning(output)}`
  return { sql, bindings: where.bindings, output }
}

/** The columns that the statement wants back, where it says which. */
function returned(statement: Parts, names: StatementNames): readonly OutputColumn[] | undefined {
  const asked = listOf(statement['returning'], 'returning', maxColumns)
  if (asked.length === 0) return undefined
  if (asked.includes('*')) return allColumns(names)
  const columns = [...new Set(asked)].map((name) => names.column(name))
  if (columns.some(({ name }) => name.includes('.')))
    throw statementFault('returning has columns of the own table alone')
  return columns.map((column) => shownAs(column))
}

function allColumns(names: StatementNames): readonly OutputColumn[] {
  return [...names.mainTable.columns.keys()].map((name) => shownAs(names.column(name)))
}

function tenantAnd(statement: Parts, names: StatementNames, tenantId: number): Piece {
  const own = { sql: `${quote(names.main)}."tenant_id" = ?`, bindings: [tenantId] }
  const pieces = [own, ...compileConditions(statement['where'], (name) => names.column(name))]
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
  if (output.length === 0) return ''
  return ` returning ${output.map(({ sql, name }) => `${sql} as ${quote(name)}`).join(', ')}`
}
