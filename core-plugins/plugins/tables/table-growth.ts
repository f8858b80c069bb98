import { pluginHash8, type MigrationStep } from '#sandbox'
import type { Knex } from 'knex'
import { PluginMigrationTooLargeError } from '../shared/errors.ts'

const megabyte = 1_048_576
/** What there was may be written anew so many times: a column that changes its type, rows that are updated. */
const times = 4
const everybody = { tenant: 'all' } as const

/** Looks at what the migrations of a plugin add to its tables, before and after each step that adds anything. */
export class TableGrowth {
  readonly #trx: Knex.Transaction
  readonly #plugin: string
  readonly #most: number

  private constructor(trx: Knex.Transaction, plugin: string, most: number) {
    this.#trx = trx
    this.#plugin = plugin
    this.#most = most
  }

  /** Begins with what the tables have now; so many megabytes may be added beside what is written anew. */
  static async begin(trx: Knex.Transaction, plugin: string, megabytes: number): Promise<TableGrowth> {
    const before = await sizeOfTables(trx, plugin)
    return new TableGrowth(trx, plugin, before * (1 + times) + megabytes * megabyte)
  }

  /** Throws 400/4009 before a step that would go beyond what may be added, by the rows that there are. */
  async foresee(migration: string, step: MigrationStep): Promise<void> {
    if (!('sql' in step) || !step.growth) return
    const { from, bytes, copies } = step.growth
    const query = this.#trx.raw<{ rows: [{ rows: string; bytes: string }] }>(
      'select count(*) as rows, pg_table_size(?::regclass) as bytes from ??',
      [`"${from}"`, from],
    )
    const { rows } = await query.queryContext(everybody)
    const added = Number(rows[0].rows) * bytes + Number(rows[0].bytes) * copies
    this.#require(migration, (await sizeOfTables(this.#trx, this.#plugin)) + added)
  }

  /** Throws 400/4009 after a step that went beyond it. */
  async look(migration: string): Promise<void> {
    this.#require(migration, await sizeOfTables(this.#trx, this.#plugin))
  }

  #require(migration: string, bytes: number): void {
    if (bytes <= this.#most) return
    const megabytes = Math.floor(this.#most / megabyte)
    const details = { limit: 'migrationMb', migration }
    throw new PluginMigrationTooLargeError({ migration, megabytes }, { details })
  }
}

/** With their indexes and everything else that is kept beside them. */
async function sizeOfTables(trx: Knex.Transaction, plugin: string): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ bytes: string }] }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
      where relnamespace = to_regnamespace(current_schema()) and relkind = 'r' and relname like ?`,
    [`plg\\_${pluginHash8(plugin)}\\_%`],
  )
  return Number(rows[0].bytes)
}
