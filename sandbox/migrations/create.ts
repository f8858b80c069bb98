import { readColumn, readConstraint, type TableParts } from './column.ts'
import { quoted, readExpression } from './expression.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'

const tenantColumn = `"tenant_id" integer not null default current_setting('stoa.tenant_id')::int`

/** `create table name ( … )`: the table, its tenant column and the policy on it. */
export function compileCreateTable(reader: Reader, target: Target): void {
  reader.accepts('if', 'not', 'exists')
  if (target.tables.has(reader.next.text)) reader.refuse('the name of a table that does not exist yet')
  const short = reader.name('a table')
  target.create(short)
  const parts = reader.list((): TableParts => readConstraint(reader, target) ?? readColumn(reader, target))
  const columns = parts.flatMap((part) => part.columns)
  target.widen(reader, short, columns)
  target.columns.add(
    short,
    columns,
    parts.flatMap(({ constraints }) => constraints),
  )
  for (const { constraints } of parts) countIndexes(reader, target, short, constraints)
  if (columns.length === 0 || columns.length > 200) reader.refuse('between 1 and 200 columns')
  const body = [tenantColumn, ...columns, ...parts.flatMap((part) => part.constraints)]
  target.run(`create table ${target.sql(short)} (${body.join(', ')})`)
  if (!parts.some((part) => part.hasKey)) target.run(`create index on ${target.sql(short)} ("tenant_id")`)
  target.enableTenantRows(short)
}

/** `create [unique] index name on table [using method] ( … ) [where …]`, with the tenant as its first column. */
export function compileCreateIndex(reader: Reader, target: Target, unique: boolean): void {
  reader.accepts('if', 'not', 'exists')
  if (reader.next.text === 'on') reader.refuse('a name for the index')
  const index = target.sql(reader.name('an index'))
  reader.expect('on')
  const short = target.shortTable(reader)
  const table = target.sql(short)
  target.addIndex(reader, short)
  const isInverted = reader.accepts('using', 'gin')
  if (isInverted && unique) reader.refuse('a unique index of the method btree')
  if (!isInverted && reader.accepts('using')) reader.expect('btree')
  const columns = reader.list(() => readIndexed(reader))
  const condition = reader.accepts('where') ? ` where ${readExpression(reader)}` : ''
  const method = isInverted ? 'gin' : 'btree'
  const indexed = isInverted ? columns : ['"tenant_id"', ...columns]
  target.run(
    `create ${unique ? 'unique ' : ''}index ${index} on ${table} using ${method} (${indexed.join(', ')})${condition}`,
  )
}

/** Keys and what is unique have an index each. */
export function countIndexes(reader: Reader, target: Target, short: string, constraints: readonly string[]): void {
  const isIndexed = (sql: string): boolean => /^(constraint "\w+" )?(primary key|unique) /.test(sql)
  for (const sql of constraints) if (isIndexed(sql)) target.addIndex(reader, short)
}

function readIndexed(reader: Reader): string {
  const isPlain = !reader.sees('(') && !reader.sees('lower') && !reader.sees('upper') && !reader.sees('coalesce')
  let sql = isPlain ? quoted(reader.name('a column')) : `(${readExpression(reader)})`
  const order = ['asc', 'desc'].find((word) => reader.accepts(word))
  if (order) sql += ` ${order}`
  if (reader.accepts('nulls')) sql += reader.accepts('first') ? ' nulls first' : (reader.expect('last'), ' nulls last')
  return sql
}
