import type { Knex } from 'knex'
import { tableName } from '../../manifest/names.ts'

type NumberFamily = 'integer' | 'bigint' | 'float' | 'numeric'
/** An `instant` knows its time zone, a `timestamp` is UTC, `time` is dates, times of day and intervals. */
type TimeFamily = 'instant' | 'timestamp' | 'time'

/** How values of a column are checked and shown. */
export type ColumnFamily = NumberFamily | TimeFamily | 'boolean' | 'text' | 'uuid' | 'json' | 'bytes'

/** One column as the database has it. */
export interface TableColumn {
  readonly family: ColumnFamily
  readonly isArray: boolean
  readonly isNullable: boolean
}

/** One of a plugin's tables. */
export interface PluginTable {
  readonly realName: string
  /** By name; `tenant_id` is not among them. */
  readonly columns: ReadonlyMap<string, TableColumn>
}

/** A plugin's tables by short name. */
export type TableCatalogue = ReadonlyMap<string, PluginTable>

interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly not_null: boolean
}

const families: Readonly<Record<string, ColumnFamily>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'bigint',
  float4: 'float',
  float8: 'float',
  numeric: 'numeric',
  bool: 'boolean',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  uuid: 'uuid',
  date: 'time',
  time: 'time',
  timetz: 'time',
  timestamp: 'timestamp',
  timestamptz: 'instant',
  interval: 'time',
  json: 'json',
  jsonb: 'json',
  bytea: 'bytes',
}

/** Reads the columns of a plugin's tables; a table that does not exist, or a column of an unknown type, is left out. */
export async function readTableCatalogue(db: Knex, plugin: string, tables: readonly string[]): Promise<TableCatalogue> {
  if (tables.length === 0) return new Map()
  const realNames = new Map(tables.map((short) => [tableName(plugin, short), short]))
  const answer = await db.raw<{ rows: ColumnRow[] }>(
    `select c.relname as table, a.attname as column, t.typname as type, a.attnotnull as not_null
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       join pg_type t on t.oid = a.atttypid
      where c.relnamespace = to_regnamespace(current_schema()) and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped and a.attname <> 'tenant_id' and c.relname in (${[...realNames].map(() => '?').join(', ')})
      order by a.attnum`,
    [...realNames.keys()],
  )
  const catalogue = new Map<string, PluginTable & { columns: Map<string, TableColumn> }>()
  for (const { table, column, type, not_null: isNotNull } of answer.rows) {
    const isArray = type.startsWith('_')
    const family = families[isArray ? type.slice(1) : type]
    const short = realNames.get(table)
    if (family === undefined || short === undefined) continue
    const entry = catalogue.get(short) ?? { realName: table, columns: new Map<string, TableColumn>() }
    entry.columns.set(column, { family, isArray, isNullable: !isNotNull })
    catalogue.set(short, entry)
  }
  return catalogue
}
