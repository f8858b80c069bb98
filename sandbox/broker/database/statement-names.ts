import type { PluginTable, TableCatalogue, TableColumn } from './table-catalogue.ts'
import { nearest, statementFault } from './statement-fault.ts'

/** A name that may be written between quotes: nothing else ever reaches the text of a statement. */
const identifier = /^[a-z][a-z0-9_]{0,62}$/
const tenant: TableColumn = { family: 'integer', isArray: false, isNullable: false }
const shownNames = 20

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

/** The tables that one statement may name, by the names it has for them, and their columns. */
export class StatementNames {
  readonly #catalogue: TableCatalogue
  readonly #used = new Map<string, PluginTable>()
  readonly #main: string

  constructor(catalogue: TableCatalogue, main: unknown) {
    this.#catalogue = catalogue
    this.#main = this.add(main)
  }

  /** What the statement calls its own table. */
  get main(): string {
    return this.#main
  }

  get mainTable(): PluginTable {
    return this.#tableOf(this.#main)
  }

  /** Brings a table into the statement: `orders`, or `orders as o`. Each name is used once. */
  add(text: unknown): string {
    const [, first, as] = (typeof text === 'string' && /^(\S+) as (\S+)$/.exec(text)) || []
    const short = first ?? text
    const table = typeof short === 'string' && identifier.test(short) ? this.#catalogue.get(short) : undefined
    if (!table) throw this.#unknownTable(short)
    const name = as === undefined ? (short as string) : checkAlias(as)
    if (this.#used.has(name))
      throw statementFault(`The table ${name} is used twice in the statement: give one of them another name`)
    this.#used.set(name, table)
    return name
  }

  /** `"plg_…" as "reports"`. */
  source(name: string): string {
    return `${quote(this.#tableOf(name).realName)} as ${quote(name)}`
  }

  /** `column` of the statement's own table, or `table.column`. */
  column(name: unknown): NamedColumn {
    if (typeof name !== 'string') throw statementFault('A column must be named')
    const [first = '', second, ...rest] = name.split('.')
    const [table, column] = second === undefined ? [this.#main, first] : [first, second]
    if (rest.length > 0 || !identifier.test(column) || !this.#used.has(table)) throw this.#unknownColumn(name)
    const found = column === 'tenant_id' ? tenant : this.#tableOf(table).columns.get(column)
    if (!found) throw this.#unknownColumn(name, table)
    return { ...found, name, sql: `${quote(table)}.${quote(column)}` }
  }

  #tableOf(name: string): PluginTable {
    const table = this.#used.get(name)
    if (!table) throw statementFault('The plugin has no such table')
    return table
  }

  #unknownTable(name: unknown): Error {
    if (typeof name !== 'string') return statementFault('A table must be named')
    const tables = [...this.#catalogue.keys()].sort()
    const said = JSON.stringify(name.slice(0, 64))
    return statementFault(`The plugin has no table ${said}: it has ${list(tables)}${nearest(name, tables)}`, {
      table: name.slice(0, 64),
    })
  }

  #unknownColumn(name: string, table?: string): Error {
    const said = JSON.stringify(name.slice(0, 64))
    if (table === undefined) {
      const tables = list([...this.#used.keys()])
      return statementFault(`There is no column ${said} in this statement, whose tables are ${tables}`)
    }
    const columns = [...this.#tableOf(table).columns.keys()]
    const hint = nearest(name.split('.').at(-1) ?? '', columns)
    return statementFault(`There is no column ${said} in ${table}, which has ${list(columns)}${hint}`, {
      table,
      column: name.slice(0, 64),
    })
  }
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.slice(0, shownNames).join(', ') + (names.length > shownNames ? ' and more' : '')
}
