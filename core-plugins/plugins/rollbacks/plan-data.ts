import { BackupRow } from '../backups/models.ts'
import { countLostRows, type LostRows } from '../backups/count-lost-rows.ts'
import type { ReleaseTables } from '../tables/own-tables.ts'
import type { ReleaseRow } from '../shared/models.ts'
import type { ReleaseChangeNeeds } from './needs.ts'
import type { Knex } from 'knex'
import type { RollbackRequest } from './choose-release.ts'
import { NoBackupError, OneWayMigrationError, RollbackLosesRowsError, SchemaDiffersError } from './errors.ts'
import { findSchemaPath } from './schema-path.ts'

/** What a rollback does to the rows. */
export type DataPlan =
  | { readonly data: 'keep' }
  | { readonly data: 'down'; readonly back: readonly string[] }
  | { readonly data: 'restore'; readonly backup: BackupRow; readonly lost: LostRows }

/** Two releases, with what each does to the tables. */
export interface Turn {
  readonly from: ReleaseTables
  readonly to: ReleaseTables
  readonly release: ReleaseRow
  /** The one that was named. */
  readonly backup: BackupRow | undefined
}

/** Decides what becomes of the rows, or throws 409/4094 with what stands in the way: nothing is lost that nobody gave up. */
export async function planData(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  turn: Turn,
  request: RollbackRequest,
): Promise<DataPlan> {
  const { data, confirm = false, because } = request
  if (data === 'restore') return planRestore(db, turn, confirm)
  const { back, obstacle } = await findSchemaPath(db, turn.from, turn.to)
  const { version } = turn.release
  if (back.length === 0) return { data: 'keep' }
  if (data === 'keep') throw new SchemaDiffersError({ version }, { details: { migrations: back } })
  if (obstacle === undefined) return { data: 'down', back }
  if (data === 'down' || because)
    throw new OneWayMigrationError({ migration: obstacle }, { details: { migrations: back } })
  return planRestore(db, turn, false)
}

async function planRestore(db: Knex, { release, backup: named }: Turn, confirm: boolean): Promise<DataPlan> {
  const { name: plugin, version, treeHash: releaseHash } = release
  if (named && named.releaseHash !== releaseHash) throw new NoBackupError({ version })
  const backup =
    named ??
    (await BackupRow.with(db)
      .where({ plugin, release_hash: releaseHash })
      .whereNotNull('completed_at')
      .orderBy('id', 'desc')
      .first())
  if (!backup) throw new NoBackupError({ version })
  const lost = await countLostRows(db, backup)
  if (confirm) return { data: 'restore', backup, lost }
  const details = { data: 'restore', backup: backup.name, rows_lost: lost.rows, tables: lost.tables }
  throw new RollbackLosesRowsError({ rows: String(lost.rows) }, { details })
}
