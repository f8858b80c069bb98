import { LIMITS } from '../limits.ts'
import { pluginHash8 } from '../manifest/names.ts'
import { quoted } from './expression.ts'
import type { Reader } from './reader.ts'

/** What the host does to apply a migration, in order: runs a statement, or puts the tenants' policy on a new table. */
export type MigrationStep = { readonly sql: string } | { readonly enableTenantRows: string }

/** Whose migration is compiled, which tables exist by now, and what has come out so far. */
export class Target {
  readonly steps: MigrationStep[] = []
  readonly tables: Set<string>
  readonly #prefix: string
  /** Rows that each table has at least, when it had one: what is copied and copied doubles. */
  readonly #rows = new Map<string, number>()

  constructor(plugin: string, tables: Iterable<string>) {
    this.#prefix = `plg_${pluginHash8(plugin)}_`
    this.tables = new Set(tables)
  }

  /** The real name of a table, an index or a constraint. */
  real(short: string): string {
    return this.#prefix + short
  }

  /** The real name as it stands in a statement. */
  sql(short: string): string {
    return quoted(this.real(short))
  }

  /** Adds a statement. */
  run(sql: string): void {
    this.steps.push({ sql })
  }

  /** Counts rows that a statement adds, so many or as many as another table has; refuses more than a table may have. */
  addRows(reader: Reader, table: string, added: number | { readonly from: string }): void {
    const rows = (name: string) => this.#rows.get(name) ?? 1
    const sum = rows(table) + (typeof added === 'number' ? added : rows(added.from))
    if (sum > LIMITS.tableRows.max) reader.refuse(`at most ${LIMITS.tableRows.max} rows`)
    this.#rows.set(table, sum)
  }

  /** Gives a table another name. */
  rename(from: string, to: string): void {
    this.tables.delete(from)
    this.tables.add(to)
    this.#rows.set(to, this.#rows.get(from) ?? 1)
  }

  /** Reads the name of a table that exists by now, as it stands in a statement. */
  table(reader: Reader): string {
    return this.sql(this.shortTable(reader))
  }

  /** Reads the short name of a table that exists by now. */
  shortTable(reader: Reader): string {
    const { text } = reader.next
    if (!this.tables.has(text)) reader.refuse('a table that an earlier statement has made')
    return reader.name('a table')
  }
}
