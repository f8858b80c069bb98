import { quoted, readExpression } from './expression.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'

/**
 * `insert into table (columns) values …`, whose rows are the platform's (tenant 0), or `insert into table (columns)
 * select … from table`, whose rows stay with the tenants they come from.
 */
export function compileInsert(reader: Reader, target: Target): void {
  reader.expect('into')
  const short = target.shortTable(reader)
  const table = target.sql(short)
  const columns = reader.list(() => reader.name('a column'))
  const into = `insert into ${table} (${['tenant_id', ...columns].map(quoted).join(', ')})`
  if (reader.accepts('select')) {
    const values: string[] = []
    do values.push(readExpression(reader))
    while (reader.accepts(','))
    reader.expect('from')
    const from = target.shortTable(reader)
    const growth = target.copyRows(reader, short, from, values)
    target.run(
      `${into} select ${['"tenant_id"', ...values].join(', ')} from ${target.sql(from)}${readWhere(reader)}${readConflict(reader)}`,
      growth,
    )
    return
  }
  reader.expect('values')
  const rows: (readonly string[])[] = []
  do {
    const values = reader.list(() => readExpression(reader, 'no columns'))
    if (values.length !== columns.length) reader.refuse(`${columns.length} values a row`)
    rows.push(values)
  } while (reader.accepts(','))
  target.addRows(reader, short, rows)
  const written = rows.map((values) => `(${['0', ...values].join(', ')})`)
  target.run(`${into} values ${written.join(', ')}${readConflict(reader)}`)
}

/** `update table set column = value, … [where …]`, over the rows of every tenant. */
export function compileUpdate(reader: Reader, target: Target): void {
  const short = target.shortTable(reader)
  reader.expect('set')
  const changes: string[] = []
  const values: string[] = []
  do {
    const column = quoted(reader.name('a column'))
    reader.expect('=')
    const value = readExpression(reader)
    values.push(value)
    changes.push(`${column} = ${value}`)
  } while (reader.accepts(','))
  const growth = target.rewrite(reader, short, values)
  target.run(`update ${target.sql(short)} set ${changes.join(', ')}${readWhere(reader)}`, growth)
}

/** `delete from table [where …]`, over the rows of every tenant. */
export function compileDelete(reader: Reader, target: Target): void {
  reader.expect('from')
  const table = target.table(reader)
  target.run(`delete from ${table}${readWhere(reader)}`)
}

function readWhere(reader: Reader): string {
  return reader.accepts('where') ? ` where ${readExpression(reader)}` : ''
}

function readConflict(reader: Reader): string {
  return reader.accepts('on', 'conflict', 'do', 'nothing') ? ' on conflict do nothing' : ''
}
