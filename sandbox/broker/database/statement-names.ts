import type { PluginTable, TableCatalogue, TableColumn } from './table-catalogue.ts'
import { statementFault } from './statement-fault.ts'

/** A name that may be written between quotes: nothing else ever reaches the text of a statement. */
const identifier = /^[a-z][a-z0-9_]{0,62}$/
const tenant: TableColumn = { family: 'integer', isArray: false, isNullable: false }

/** A column that a statement names. */
export interface NamedColumn extends TableColumn {
  /** As the author wrote it; the key in the rows. */
  readonly name: string
  readonly sql: string
}

/** A name between quotes. */
export function quote(name: string): string {
  if (!/^[a-z][a-z0-9_.]{0,127}$/.test(name)) throw statementFault('A name has characters that no name has')
  return `"${name}"`
}

/** A name of the author's own choosing, such as an aggregate's. */
export function checkAlias(name: unknown): string {
  if (typeof name === 'string' && identifier.test(name)) return name
  throw statementFault('A name must be small letters, digits and _')
}

/** The tables that one statement may name, and their columns. */
export class StatementNames {
  readonly #catalogue: TableCatalogue
  readonly #used = new Map<string, PluginTable>()
  readonly #main: string

  constructor(catalogue: TableCatalogue, main: unknown) {
    this.#catalogue = catalogue
    this.#main = this.add(main)
  }

  /** The short name of the statement's own table. */
  get main(): string {
    return this.#main
  }

  get mainTable(): PluginTable {
    return this.#tableOf(this.#main)
  }

  /** Brings a table into the statement, once. */
  add(short: unknown): string {
    const table = typeof short === 'string' && identifier.test(short) ? this.#catalogue.get(short) : undefined
    if (!table) throw statementFault('The plugin has no such table')
    if (this.#used.has(short as string))
      throw statementFault(`The table ${short as string} is used twice in the statement`)
    this.#used.set(short as string, table)
    return short as string
  }

  /** `"plg_…" as "reports"`. */
  source(short: string): string {
    return `${quote(this.#tableOf(short).realName)} as ${quote(short)}`
  }

  /** `column` of the statement's own table, or `table.column`. */
  column(name: unknown): NamedColumn {
    if (typeof name !== 'string') throw statementFault('A column must be named')
    const [first = '', second, ...rest] = name.split('.')
    const [short, column] = second === undefined ? [this.#main, first] : [first, second]
    if (rest.length > 0 || !identifier.test(column) || !this.#used.has(short)) throw unknownColumn(name)
    const found = column === 'tenant_id' ? tenant : this.#tableOf(short).columns.get(column)
    if (!found) throw unknownColumn(name)
    return { ...found, name, sql: `${quote(short)}.${quote(column)}` }
  }

  #tableOf(short: string): PluginTable {
    const table = this.#used.get(short)
    if (!table) throw statementFault('The plugin has no such table')
    return table
  }
}

function unknownColumn(name: string): Error {
  return statementFault(`There is no column ${JSON.stringify(name.slice(0, 64))}`)
}
