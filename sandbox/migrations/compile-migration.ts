import { compileAlterTable, compileDrop } from './alter.ts'
import { compileCreateIndex, compileCreateTable } from './create.ts'
import { Reader } from './reader.ts'
import { compileDelete, compileInsert, compileUpdate } from './rows.ts'
import type { TableColumns } from './table-columns.ts'
import { Target, type MigrationStep, type TableSize } from './target.ts'

/** Most statements in one file. */
const mostStatements = 1_000

/** For whom a migration is compiled. */
export interface MigrationContext {
  /** The plugin's name, from which its tables are named. */
  readonly plugin: string
  /** The short names of the tables that exist before this file runs. */
  readonly tables: Iterable<string>
  /** What they hold at most, by their short names, where that is known. */
  readonly sizes?: ReadonlyMap<string, TableSize>
  /** What columns they have; it is told what this file changes. */
  readonly columns?: TableColumns
  /** The file's path, for messages. */
  readonly file?: string
}

/** A migration as the host runs it: all steps in one transaction, with rights on the rows of every tenant. */
export interface CompiledMigration {
  readonly steps: readonly MigrationStep[]
  /** The short names of the tables that exist after it. */
  readonly tables: readonly string[]
  readonly sizes: ReadonlyMap<string, TableSize>
  /** What it adds at most, as far as its statements tell. */
  readonly addedBytes: number
}

/**
 * Compiles an author's SQL: statements of the subset come out written anew, on the plugin's real tables and with the
 * tenant in every key; anything else is a MigrationRefusedError. The parser is the fence, so it emits only what it knows.
 */
export function compileMigration(
  sql: string,
  { plugin, tables, sizes, columns, file = 'migration' }: MigrationContext,
): CompiledMigration {
  const reader = new Reader(sql, file)
  const target = new Target(plugin, tables, sizes, columns)
  let statements = 0
  while (!reader.isAtEnd()) {
    if (reader.accepts(';')) continue
    if (++statements > mostStatements) reader.refuse(`at most ${mostStatements} statements in a file`)
    target.line = reader.next.line
    compileStatement(reader, target)
    if (!reader.isAtEnd()) reader.expect(';')
  }
  const { steps, sizes: after, addedBytes } = target
  return { steps, tables: [...target.tables].sort(), sizes: after, addedBytes }
}

function compileStatement(reader: Reader, target: Target): void {
  if (reader.accepts('create', 'table')) return compileCreateTable(reader, target)
  if (reader.accepts('create', 'index')) return compileCreateIndex(reader, target, false)
  if (reader.accepts('create', 'unique', 'index')) return compileCreateIndex(reader, target, true)
  if (reader.accepts('alter', 'table')) return compileAlterTable(reader, target)
  if (reader.accepts('drop')) return compileDrop(reader, target)
  if (reader.accepts('insert')) return compileInsert(reader, target)
  if (reader.accepts('update')) return compileUpdate(reader, target)
  if (reader.accepts('delete')) return compileDelete(reader, target)
  reader.refuse('create table, create index, alter table, drop, insert, update or delete')
}
