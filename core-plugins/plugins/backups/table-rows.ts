import type { Knex } from 'knex'
import { pluginHash8 } from '#sandbox'
import type { SequencePosition } from './models.ts'

/** Rows that are fetched at once: as many as are about so long together. */
const fetchedLength = 2_000_000
const firstRows = 10
const mostRows = 5_000
const everybody = { tenant: 'all' } as const

/** A column of a table, with its type as it is written. */
interface Column {
  readonly name: string
  readonly type: string
}

/** The short name of a plugin's table. */
export function shortName(plugin: string, table: string): string {
  return table.slice(`plg_${pluginHash8(plugin)}_`.length)
}

/** The columns of a table, in their order. */
export async function columnsOf(db: Knex, table: string): Promise<readonly Column[]> {
  return db('pg_attribute')
    .whereRaw('attrelid = to_regclass(quote_ident(?)) and attnum > 0 and not attisdropped', [table])
    .orderBy('attnum')
    .select<Column[]>('attname as name', db.raw('format_type(atttypid, atttypmod) as type'))
}

/** Columns that go as their text: parsed, an empty value and the JSON null could not be told apart, nor would `json` stay as written. */
export function jsonColumns(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ type }) => /^jsonb?(\[\])*$/.test(type))
}

/** The SQL of a row of a table as JSON, with the names to bind. */
export function rowAsJson(
  table: string,
  columns: readonly Column[],
): { readonly sql: string; readonly names: string[] } {
  const texts = jsonColumns(columns)
  const sql = ['to_jsonb(??.*)', ...texts.map(() => 'jsonb_build_object(?::text, ??::text)')].join(' || ')
  return { sql, names: [table, ...texts.flatMap(({ name }) => [name, name])] }
}

/** Every row of a table as a line of JSON, numbers as exact as they are stored; the table is read once, some rows at a time. */
export async function* readTable(
  trx: Knex.Transaction,
  table: string,
  columns: readonly Column[],
): AsyncGenerator<string> {
  const { sql, names } = rowAsJson(table, columns)
  await trx
    .raw(`declare plugin_rows no scroll cursor for select (${sql})::text as row from ??`, [...names, table])
    .queryContext(everybody)
  for (let wanted = firstRows; ;) {
    const { rows } = await trx
      .raw<{ rows: readonly { row: string }[] }>(`fetch ${wanted} from plugin_rows`)
      .queryContext(everybody)
    let length = 0
    for (const { row } of rows) {
      length += row.length
      yield `${row}\n`
    }
    if (rows.length < wanted) break
    wanted = Math.min(Math.max(Math.trunc((fetchedLength * rows.length) / length), 1), mostRows)
  }
  await trx.raw('close plugin_rows')
}

/** Where the counting columns of a table are. */
export async function readSequences(db: Knex, table: string): Promise<Readonly<Record<string, SequencePosition>>> {
  const counting = await db('pg_attribute')
    .whereRaw(`attrelid = to_regclass(quote_ident(?)) and attnum > 0 and attidentity <> ''`, [table])
    .select<{ name: string; sequence: string }[]>(
      'attname as name',
      db.raw('pg_get_serial_sequence(quote_ident(?), attname) as sequence', [table]),
    )
  const positions: Record<string, SequencePosition> = {}
  for (const { name, sequence } of counting) {
    // The name comes quoted where it must be.
    const { rows } = await db.raw<{ rows: [SequencePosition] }>(
      `select last_value::text as value, is_called as called from ${sequence}`,
    )
    positions[name] = rows[0]
  }
  return positions
}
