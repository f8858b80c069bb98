import { allowTime } from '#kernel'
import type { Knex } from 'knex'
import { listOwnTables } from '../tables/own-tables.ts'
import { readBackupRows } from './backup-files.ts'
import type { BackupRow } from './models.ts'
import { columnsOf, rowAsJson, shortName } from './table-rows.ts'

const everybody = { tenant: 'all' } as const

/** Rows that a restore would lose, by table. */
export interface LostRows {
  readonly rows: number
  readonly tables: Readonly<Record<string, number>>
}

/** Counts the rows that were added or changed since a backup, looking at the columns that there were by then. */
export async function countLostRows(db: Knex, backup: BackupRow): Promise<LostRows> {
  return db.transaction(async (trx) => {
    await allowTime(trx)
    await trx.raw('create temp table plugin_backup_rows (row jsonb) on commit drop')
    const tables: Record<string, number> = {}
    for (const table of await listOwnTables(trx, backup.plugin)) {
      const short = shortName(backup.plugin, table)
      tables[short] = await countLost(trx, table, backup, `tables/${short}.ndjson`)
    }
    return { rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0), tables }
  })
}

async function countLost(trx: Knex.Transaction, table: string, backup: BackupRow, file: string): Promise<number> {
  await trx('plugin_backup_rows').truncate()
  const before = new Set(backup.files[file]?.columns)
  if (before.size > 0) {
    for await (const batch of readBackupRows(trx, backup, file)) {
      await trx.raw('insert into plugin_backup_rows select value from jsonb_array_elements(?::jsonb)', [batch])
    }
  }
  const columns = await columnsOf(trx, table)
  const now = columns.map(({ name }) => name)
  const added = before.size === 0 ? [] : now.filter((name) => !before.has(name))
  const removed = [...before].filter((name) => !now.includes(name))
  const { sql, names } = rowAsJson(table, columns)
  const { rows } = await trx
    .raw<{ rows: [{ lost: string }] }>(
      `select count(*) as lost from (
         select (${sql}) - ?::text[] from ??
         except all
         select row - ?::text[] from plugin_backup_rows) as lost`,
      [...names, added, table, removed],
    )
    .queryContext(everybody)
  return Number(rows[0].lost)
}
