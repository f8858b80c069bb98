import type { Argument } from '../capability.ts'
import type { Binding } from './column-value.ts'
import { compileSelect } from './compile-select.ts'
import { compileDelete, compileInsert, compileUpdate, type CompiledWrite } from './compile-write.ts'
import { oneOf, statementFault } from './statement-fault.ts'
import { quote, StatementNames } from './statement-names.ts'
import type { TableCatalogue } from './table-catalogue.ts'

/** A statement that can be sent: one row comes back, with `count` and the rows as JSON text. */
interface CompiledStatement {
  readonly sql: string
  readonly bindings: readonly Binding[]
  /** Whose rows row-level security lets it touch. */
  readonly tenant: number | 'all'
}

/** What every statement of a call is held to. */
interface StatementBounds {
  /** 0 = the platform: it reads every tenant's rows and writes its own. */
  readonly tenantId: number
  readonly rows: number
  readonly resultBytes: number
}

const operations = ['select', 'insert', 'upsert', 'update', 'delete'] as const
const readOnly = [
  ...(['columns', 'join', 'groupBy', 'aggregates', 'orderBy', 'limit', 'offset', 'after'] as const),
  ...(['distinct', 'having', 'search'] as const),
] as const
const writeOnly = ['values', 'increments', 'conflict', 'returning'] as const

/**
 * Compiles what the guest's query builder collected. Names are looked up in the catalogue, operators in a list, and values are
 * bound: no text of the guest's becomes part of the statement.
 */
export function compileStatement(
  statement: Argument,
  catalogue: TableCatalogue,
  { tenantId, rows, resultBytes }: StatementBounds,
): CompiledStatement {
  const operation = oneOf(statement['operation'], operations, 'The operation')
  const names = new StatementNames(catalogue, statement['table'])
  if (operation === 'select') {
    refuseParts(statement, operation, writeOnly)
    const whose = tenantId === 0 ? undefined : tenantId
    const select = compileSelect(statement, names, { rows, tenantId: whose })
    return { ...asJson(select, { resultBytes, rows }), tenant: whose ?? 'all' }
  }
  refuseParts(statement, operation, readOnly)
  if (names.main !== statement['table']) throw statementFault(`${operation} has no other name for its table`)
  if (operation !== 'update') refuseParts(statement, operation, ['increments'])
  return { ...asJson(compileWrite(operation, statement, names, tenantId), { resultBytes, rows }), tenant: tenantId }
}

function compileWrite(
  operation: Exclude<(typeof operations)[number], 'select'>,
  statement: Argument,
  names: StatementNames,
  tenantId: number,
): CompiledWrite {
  switch (operation) {
    case 'insert':
    case 'upsert':
      return compileInsert(statement, names, tenantId)
    case 'update':
      return compileUpdate(statement, names, tenantId)
    case 'delete':
      return compileDelete(statement, names, tenantId)
  }
}

function refuseParts(statement: Argument, operation: string, parts: readonly string[]): void {
  const part = parts.find((name) => statement[name] !== undefined)
  if (part !== undefined) throw statementFault(`${operation} has no ${part}`)
}

/** No column and no table of an author's has a capital letter. */
const pageAlias = '"Page"'

/**
 * The server turns the rows into JSON, so that nothing here parses them; rows that are too large are measured first and
 * never put together. Where a write gives back more than may be read, it fails as a whole.
 */
function asJson(
  { sql, bindings, output }: CompiledWrite,
  { resultBytes, rows: most }: Pick<StatementBounds, 'resultBytes' | 'rows'>,
): { sql: string; bindings: readonly Binding[] } {
  if (output.length === 0) {
    return {
      sql: `with ${pageAlias} as (${sql} returning 1) select count(*)::int as count, '[]' as rows from ${pageAlias}`,
      bindings,
    }
  }
  const isRead = sql.startsWith('select')
  const large = output.filter(({ isLarge }) => isLarge)
  const size = large.map(({ name }) => `coalesce(octet_length(${pageAlias}.${quote(name)}::text), 0)`).join(' + ')
  const json = `(select coalesce(json_agg(${pageAlias}), '[]')::text from ${pageAlias})`
  const count = `(select count(*)::int from ${pageAlias})`
  const isTooLarge = [
    ...(large.length === 0 ? [] : [`(select coalesce(sum(${size}), 0) from ${pageAlias}) > ${resultBytes}`]),
    ...(isRead ? [] : [`${count} > ${most}`]),
  ].join(' or ')
  // A division by a count of nothing is an error of the server's, which undoes what was written.
  const none = isRead ? 'null' : `(1 / (${count} * 0))::text`
  const rows = isTooLarge === '' ? json : `case when ${isTooLarge} then ${none} else ${json} end`
  const page = isRead ? `${pageAlias} as materialized` : `${pageAlias} as`
  return {
    sql: `with ${page} (${sql}) select ${count} as count, ${rows} as rows`,
    bindings,
  }
}
