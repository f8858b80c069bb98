import { sandboxLimits } from '../limits.ts'
import { pluginHash8 } from '../manifest/names.ts'
import { quoted } from './expression.ts'
import type { Reader } from './reader.ts'
import { TableColumns } from './table-columns.ts'
import { weigh, type Weight } from './weight.ts'

/** What a statement that writes the rows of a table anew, or copies them, adds: so many bytes a row, and the table so many times. */
export interface StepGrowth extends Weight {
  /** The real name of the table whose rows there are. */
  readonly from: string
}

/** What the host does to apply a migration, in order: runs a statement of a line of the author's, or puts the tenants' policy on a new table. */
export type MigrationStep = { readonly line: number } & (
  { readonly sql: string; readonly growth?: StepGrowth } | { readonly enableTenantRows: string }
)

/** What a table has at most, as far as the statements before tell. */
export interface TableSize {
  readonly rows: number
  readonly bytes: number
  /** What a row has that says nothing of itself. */
  readonly rowBytes: number
  /** Written with every row, and as large as the table at most. */
  readonly indexes: number
}

const megabyte = 1_048_576
/** A row's header and its tenant. */
const leastRowBytes = 40
/** A table of which nothing is known has a row. */
const unknown: TableSize = { rows: 1, bytes: leastRowBytes, rowBytes: leastRowBytes, indexes: 1 }
const empty: TableSize = { ...unknown, rows: 0, bytes: 0 }

/** Whose migration is compiled, which tables exist by now, and what has come out so far. */
export class Target {
  readonly steps: MigrationStep[] = []
  readonly tables: Set<string>
  readonly #prefix: string
  /** What is copied and copied doubles. */
  readonly sizes: Map<string, TableSize>
  readonly columns: TableColumns
  /** Where the statement begins that is compiled now. */
  line = 1
  #addedBytes = 0

  constructor(
    plugin: string,
    tables: Iterable<string>,
    sizes: ReadonlyMap<string, TableSize> = new Map(),
    columns: TableColumns = new TableColumns(),
  ) {
    this.#prefix = `plg_${pluginHash8(plugin)}_`
    this.tables = new Set(tables)
    this.sizes = new Map(sizes)
    this.columns = columns
  }

  /** What the statements add to the database at most, as far as they tell. */
  get addedBytes(): number {
    return this.#addedBytes
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
  run(sql: string, growth?: StepGrowth): void {
    const { line } = this
    this.steps.push(growth ? { sql, line, growth } : { sql, line })
  }

  /** Adds the tenants' policy on a new table. */
  enableTenantRows(short: string): void {
    this.steps.push({ enableTenantRows: this.real(short), line: this.line })
  }

  /** Begins to count what a new table holds. */
  create(table: string): void {
    this.tables.add(table)
    this.sizes.set(table, empty)
  }

  /** Counts an index more. */
  addIndex(reader: Reader, table: string): void {
    const size = this.#size(table)
    this.sizes.set(table, { ...size, indexes: size.indexes + 1 })
    this.#add(reader, size.bytes)
  }

  /** Counts what every row of a table has more, the given values. */
  widen(reader: Reader, table: string, defaults: readonly string[]): void {
    const size = this.#size(table)
    const { bytes } = weigh(defaults)
    this.sizes.set(table, { ...size, bytes: size.bytes + size.rows * bytes, rowBytes: size.rowBytes + bytes })
    this.#add(reader, size.rows * bytes)
  }

  /** Counts rows with these values; refuses more than a table may have. */
  addRows(reader: Reader, table: string, rows: readonly (readonly string[])[]): void {
    const bytes = rows.reduce((sum, values) => sum + weigh(values).bytes, 0)
    this.#addRows(reader, table, rows.length, bytes)
  }

  /** Counts as many rows as another table has, with values from its columns; says what that comes to. */
  copyRows(reader: Reader, table: string, from: string, values: readonly string[]): StepGrowth {
    const weight = weigh(values)
    const source = this.#size(from)
    this.#addRows(reader, table, source.rows, source.rows * weight.bytes + source.bytes * weight.copies)
    const { rowBytes, indexes } = this.#size(table)
    const times = 1 + indexes
    return { from: this.real(from), bytes: (rowBytes + weight.bytes) * times, copies: weight.copies * times }
  }

  /** Counts every row of a table written anew, with other values in it; the old ones stay until they are swept. */
  rewrite(reader: Reader, table: string, values: readonly string[]): StepGrowth {
    const { bytes, copies } = weigh(values)
    const size = this.#size(table)
    const written = size.rows * bytes + size.bytes * Math.max(1, copies)
    this.sizes.set(table, { ...size, bytes: written })
    this.#add(reader, written)
    return { from: this.real(table), bytes, copies: Math.max(1, copies) }
  }

  #size(table: string): TableSize {
    return this.sizes.get(table) ?? unknown
  }

  #addRows(reader: Reader, table: string, rows: number, bytes: number): void {
    const size = this.#size(table)
    const sum = size.rows + rows
    if (sum > sandboxLimits.tableRows.max) reader.refuse(`at most ${sandboxLimits.tableRows.max} rows`)
    const added = rows * size.rowBytes + bytes
    this.sizes.set(table, { ...size, rows: sum, bytes: size.bytes + added })
    this.#add(reader, added * (1 + size.indexes))
  }

  #add(reader: Reader, bytes: number): void {
    this.#addedBytes += bytes
    const most = sandboxLimits.migrationMb.max
    if (this.#addedBytes > most * megabyte) reader.refuse(`migrations that add at most ${most} MB`)
  }

  /** Gives a table another name. */
  rename(from: string, to: string): void {
    this.tables.delete(from)
    this.tables.add(to)
    this.sizes.set(to, this.#size(from))
    this.sizes.delete(from)
    this.columns.renameTable(from, to)
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
