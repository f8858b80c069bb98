import { AppError, enableTenantRows, sayError } from '#kernel'
import type { Knex } from 'knex'
import { migrateOwnTables, type ReleaseTables } from '../tables/own-tables.ts'
import { fault, type Finding } from './finding.ts'
import type { TableState } from './table-state.ts'

/** Drops what no release knows, fences what is open, and with the package at hand applies what is missing and grants it. */
export async function mendTables(
  trx: Knex.Transaction,
  state: TableState,
  tables: ReleaseTables | undefined,
  password: string,
): Promise<readonly Finding[]> {
  for (const table of state.stray) await trx.raw('drop table if exists ?? cascade', [table])
  for (const table of state.open) {
    await trx.raw('drop policy if exists tenant_rows on ??', [table])
    await enableTenantRows(trx, table)
  }
  // Some tables without the others: nobody knows which rows the migrations would do things to.
  if (!tables || (state.missing.length > 0 && !state.isEmptied && state.applied.length > 0)) return []
  try {
    const applied = await trx.transaction(async (inner) => {
      if (state.isEmptied) await inner('plugin_migrations').where({ plugin: tables.manifest.name }).delete()
      return migrateOwnTables(inner, tables, password)
    })
    return applied.length === 0 || state.isEmptied
      ? []
      : [fault('migrations', 'migrated', { words: applied.join(', ') })]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [fault('migrations', 'manual', sayError(error))]
  }
}
