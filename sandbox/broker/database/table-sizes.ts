import type { Knex } from 'knex'
import type { EffectiveLimits } from '../../grants.ts'
import { Refusal } from '../refusal.ts'
import type { TableCatalogue } from './table-catalogue.ts'

/** How long what the server said is believed; what is inserted meanwhile is counted here. */
const believedMs = 30_000
const megabyte = 1_048_576

/** Where sizes are read: on a connection that the reader has, since others who have one wait for what it reads. */
export interface SizesReader {
  readonly db: Knex
  readonly connection: object
  readonly catalogue: TableCatalogue
}

interface Sizes {
  readonly bytes: number
  /** By real name; what is added on this host is added here. */
  readonly rows: Map<string, number>
}

interface SizeRow {
  readonly name: string
  readonly rows: string
  readonly bytes: string
}

/**
 * How full a plugin's tables are, all tenants together. A soft limit: the server's own estimates, a while old, so that an
 * insert costs no count; several hosts may go beyond it by what they insert in that time.
 */
export class TableSizes {
  #sizes: Promise<Sizes> | undefined
  #readAt = 0

  /** Throws when a table, or all of them together, may not grow any more. */
  async check(reader: SizesReader, table: string, limits: EffectiveLimits): Promise<void> {
    const { rows, bytes } = await this.#current(reader)
    const full = bytes >= limits.tablesMb * megabyte ? 'tablesMb' : undefined
    const limit = (rows.get(table) ?? 0) >= limits.tableRows ? 'tableRows' : full
    if (limit === undefined) return
    const most = limit === 'tableRows' ? `${limits.tableRows} rows a table` : `${limits.tablesMb} MB of tables`
    throw new Refusal('rate_limited', 'storage_quota_exceeded', `A plugin has ${most} at most`, { limit })
  }

  /** Counts rows that were inserted. */
  async grow(table: string, count: number): Promise<void> {
    const sizes = await this.#sizes
    sizes?.rows.set(table, (sizes.rows.get(table) ?? 0) + count)
  }

  async #current(reader: SizesReader): Promise<Sizes> {
    if (this.#sizes && performance.now() - this.#readAt < believedMs) {
      // What somebody else reads fails with their transaction.
      const known = await this.#sizes.catch(() => undefined)
      if (known) return known
    }
    const sizes = readSizes(reader)
    this.#sizes = sizes
    this.#readAt = performance.now()
    sizes.catch(() => this.#sizes === sizes && (this.#sizes = undefined))
    return sizes
  }
}

/** The estimates of the server's statistics, which every role may read. */
async function readSizes({ db, connection, catalogue }: SizesReader): Promise<Sizes> {
  const names = [...catalogue.values()].map(({ realName }) => realName)
  const query = db.raw<{ rows: SizeRow[] }>(
    `select c.relname as name, pg_total_relation_size(c.oid) as bytes,
            greatest(coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), c.reltuples), 0)::bigint as rows
       from pg_class c
      where c.relnamespace = to_regnamespace(current_schema()) and c.relkind = 'r' and c.relname = any(?)`,
    [names],
  )
  const { rows } = await query.connection(connection)
  return {
    bytes: rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    rows: new Map(rows.map(({ name, rows: count }) => [name, Number(count)])),
  }
}
