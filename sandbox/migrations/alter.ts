import { readColumn, readConstraint } from './column.ts'
import { readType } from './column-type.ts'
import { countIndexes } from './create.ts'
import { quoted, readDefault, readExpression } from './expression.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'

/** A column of another type has every row written anew, and so may one that is added. */
const rewrites = /^(add column|alter column "\w+" type) /

/** `alter table name …`: one or more changes of columns and constraints, or one renaming. */
export function compileAlterTable(reader: Reader, target: Target): void {
  reader.accepts('if', 'exists')
  const short = target.shortTable(reader)
  if (reader.accepts('rename')) return compileRename(reader, target, short)
  const changes: string[] = []
  do changes.push(...readChange(reader, target, short))
  while (reader.accepts(','))
  const isRewritten = changes.some((change) => rewrites.test(change))
  const growth = isRewritten ? target.rewrite(reader, short, changes) : undefined
  target.run(`alter table ${target.sql(short)} ${changes.join(', ')}`, growth)
}

/** `drop table|index [if exists] name`; nothing else goes with it. */
export function compileDrop(reader: Reader, target: Target): void {
  if (reader.accepts('index')) {
    const ifExists = reader.accepts('if', 'exists') ? 'if exists ' : ''
    target.run(`drop index ${ifExists}${target.sql(reader.name('an index'))}`)
    return
  }
  reader.expect('table')
  reader.accepts('if', 'exists')
  const short = target.shortTable(reader)
  target.tables.delete(short)
  target.sizes.delete(short)
  target.columns.dropTable(short)
  target.run(`drop table ${target.sql(short)}`)
}

function readChange(reader: Reader, target: Target, short: string): string[] {
  if (reader.accepts('add')) {
    reader.accepts('column')
    const ifNotExists = reader.accepts('if', 'not', 'exists') ? 'if not exists ' : ''
    const constraint = readConstraint(reader, target)
    if (constraint) {
      countIndexes(reader, target, short, constraint.constraints)
      return constraint.constraints.map((sql) => `add ${sql}`)
    }
    const { columns, constraints } = readColumn(reader, target)
    target.widen(reader, short, columns)
    target.columns.add(short, columns, constraints)
    countIndexes(reader, target, short, constraints)
    return [...columns.map((sql) => `add column ${ifNotExists}${sql}`), ...constraints.map((sql) => `add ${sql}`)]
  }
  if (reader.accepts('drop')) {
    if (reader.accepts('constraint')) return [`drop constraint ${target.sql(reader.name('a constraint'))}`]
    reader.accepts('column')
    const ifExists = reader.accepts('if', 'exists') ? 'if exists ' : ''
    const dropped = reader.name('a column')
    target.columns.dropColumn(short, dropped)
    return [`drop column ${ifExists}${quoted(dropped)}`]
  }
  if (!reader.accepts('alter')) return reader.refuse('add, drop, alter or rename')
  reader.accepts('column')
  const column = reader.name('a column')
  const change = readColumnChange(reader)
  const [, type] = /^type (\S+)/.exec(change) ?? []
  if (type !== undefined) target.columns.change(short, column, { type })
  if (change.endsWith('not null')) target.columns.change(short, column, { isNullable: change.startsWith('drop') })
  return [`alter column ${quoted(column)} ${change}`]
}

function readColumnChange(reader: Reader): string {
  if (reader.accepts('set', 'not', 'null')) return 'set not null'
  if (reader.accepts('drop', 'not', 'null')) return 'drop not null'
  if (reader.accepts('drop', 'default')) return 'drop default'
  if (reader.accepts('set', 'default')) return `set default ${readDefault(reader)}`
  if (!reader.accepts('set', 'data', 'type') && !reader.accepts('type'))
    return reader.refuse('type, set not null, drop not null, set default or drop default')
  const type = readType(reader)
  if (type.identity) reader.refuse('a type that does not count by itself')
  return `type ${type.sql}${reader.accepts('using') ? ` using ${readExpression(reader)}` : ''}`
}

function compileRename(reader: Reader, target: Target, short: string): void {
  if (reader.accepts('to')) {
    if (target.tables.has(reader.next.text)) reader.refuse('the name of a table that does not exist yet')
    const renamed = reader.name('a table')
    target.rename(short, renamed)
    target.run(`alter table ${target.sql(short)} rename to ${target.sql(renamed)}`)
    return
  }
  reader.accepts('column')
  const from = reader.name('a column')
  reader.expect('to')
  const to = reader.name('a column')
  target.columns.renameColumn(short, from, to)
  target.run(`alter table ${target.sql(short)} rename column ${quoted(from)} to ${quoted(to)}`)
}
