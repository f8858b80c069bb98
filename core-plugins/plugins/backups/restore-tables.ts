import { allowTime } from '#kernel'
import type { Knex } from 'knex'
import { tableName } from '#sandbox'
import { PluginTablesBusyError } from '../shared/errors.ts'
import { listOwnTables, migrateOwnTables, type ReleaseTables } from '../tables/own-tables.ts'
import { readBackupRows } from './backup-files.ts'
import type { BackupRow, SequencePosition } from './models.ts'
import { columnsOf, jsonColumns } from './table-rows.ts'

const lockNotAvailable = '55P03'
const everybody = { tenant: 'all' } as const

/** What rows are put back into. */
interface TablesToRestore {
  readonly backup: BackupRow
  /** The release that the backup was made of. */
  readonly release: ReleaseTables
  /** Of the plugin's login role. */
  readonly password: string
  /** Rows of tenants that are gone stay away. */
  readonly tenantIds: readonly number[]
}

/** Makes a plugin's tables anew as a release has them, with the rows of a backup and nothing else; answers how many there are. */
export async function restoreTables(trx: Knex.Transaction, restored: TablesToRestore): Promise<number> {
  const { backup, release, password } = restored
  const { plugin } = backup
  await dropTables(trx, plugin)
  await trx('plugin_migrations').where({ plugin }).delete()
  await migrateOwnTables(trx, release, password)
  await allowTime(trx)
  const tables = await listOwnTables(trx, plugin)
  // In whatever order rows come, what they refer to may come later.
  const references = await dropReferences(trx, tables)
  let rows = 0
  for (const [file, { columns }] of Object.entries(backup.files)) {
    if (!columns) continue
    rows += await fill(trx, tableName(plugin, shortNameIn(file)), file, restored)
  }
  for (const { table, name, definition } of references) {
    await trx
      .raw(`alter table ?? add constraint ?? ${escapeBindings(definition)}`, [table, name])
      .queryContext(everybody)
  }
  for (const [short, positions] of Object.entries(backup.sequences)) {
    await placeSequences(trx, tableName(plugin, short), positions)
  }
  return rows
}

/** Not the role: what runs meanwhile keeps its connections. */
async function dropTables(trx: Knex.Transaction, plugin: string): Promise<void> {
  await trx.raw(`set local lock_timeout = '3s'`)
  try {
    for (const table of await listOwnTables(trx, plugin)) await trx.raw('drop table ?? cascade', [table])
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
    throw new PluginTablesBusyError({ cause: error })
  }
}

async function fill(
  trx: Knex.Transaction,
  table: string,
  file: string,
  { backup, tenantIds }: TablesToRestore,
): Promise<number> {
  const columns = await columnsOf(trx, table)
  const texts = new Map(jsonColumns(columns).map(({ name, type }) => [name, type]))
  const values = columns.map(({ name }) => (texts.has(name) ? `(line.value ->> ?)::${texts.get(name)}` : 'row.??'))
  const names = columns.map(({ name }) => name)
  // What a migration put there of itself is in the backup too, as it was by then.
  await trx.raw('truncate ?? cascade', [table])
  let count = 0
  for await (const batch of readBackupRows(trx, backup, file)) {
    const { rowCount } = await trx
      .raw<{ rowCount: number }>(
        `insert into ?? (${names.map(() => '??').join(', ')})
         select ${values.join(', ')}
           from jsonb_array_elements(?::jsonb) as line,
                jsonb_populate_record(null::??, line.value - ?::text[]) as row
          where row.tenant_id = any(?::int[])`,
        [table, ...names, ...names, batch, table, [...texts.keys()], [...tenantIds]],
      )
      .queryContext(everybody)
    count += rowCount
  }
  return count
}

interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function dropReferences(trx: Knex.Transaction, tables: readonly string[]): Promise<readonly Reference[]> {
  const references = await trx('pg_constraint')
    .join('pg_class', 'pg_class.oid', 'conrelid')
    .where({ contype: 'f' })
    .whereRaw('relnamespace = to_regnamespace(current_schema())')
    .whereIn('relname', [...tables])
    .select<Reference[]>(
      'relname as table',
      'conname as name',
      trx.raw('pg_get_constraintdef(pg_constraint.oid) as definition'),
    )
  for (const { table, name } of references) await trx.raw('alter table ?? drop constraint ??', [table, name])
  return references
}

async function placeSequences(
  trx: Knex.Transaction,
  table: string,
  positions: Readonly<Record<string, SequencePosition>>,
): Promise<void> {
  for (const [column, { value, called }] of Object.entries(positions)) {
    const place = [table, column, value, called]
    await trx.raw('select setval(pg_get_serial_sequence(quote_ident(?), ?), ?::bigint, ?)', place)
  }
}

/** `tables/entries.ndjson` → `entries`. */
function shortNameIn(file: string): string {
  return file.slice(file.indexOf('/') + 1, file.lastIndexOf('.'))
}

/** Knex reads a question mark as a place for a value. */
function escapeBindings(sql: string): string {
  return sql.replaceAll('?', '\\?')
}
