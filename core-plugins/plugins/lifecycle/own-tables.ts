import { enableTenantRows } from '#kernel'
import type { OpenedPackage } from '#marketplace'
import { createPluginRole, dropPluginRole, grantTables, LIMITS, pluginHash8, type MigrationStep } from '#sandbox'
import type { Knex } from 'knex'
import { PluginMigrationFailedError } from '../errors.ts'

const everybody = { tenant: 'all' } as const

/** Makes a plugin's tables, all of them within so many milliseconds, and the login role that reaches nothing but them. */
export async function createOwnTables(
  trx: Knex.Transaction,
  { manifest: { name, version, db }, migrations }: Pick<OpenedPackage, 'manifest' | 'migrations'>,
  password: string,
  milliseconds: number = LIMITS.migrationMs.max,
): Promise<void> {
  if (!db) return
  const deadline = Date.now() + milliseconds
  await trx.raw(`set local lock_timeout = '3s'`)
  await createPluginRole(trx, name, password)
  for (const { id, up } of migrations) {
    await applyMigration(trx, { id, steps: up, deadline })
    await trx('plugin_migrations').insert({ plugin: name, migration: id, version })
  }
  await grantTables(trx, name, db.tables)
}

/** Drops every table and sequence of a plugin, found by listing, and its role. */
export async function dropOwnTables(trx: Knex.Transaction, name: string): Promise<{ tables: readonly string[] }> {
  await trx.raw(`set local lock_timeout = '10s'`)
  const tables = await listOwnTables(trx, name)
  for (const table of tables) await trx.raw('drop table if exists ?? cascade', [table])
  await trx('plugin_migrations').where({ plugin: name }).delete()
  await dropPluginRole(trx, name)
  return { tables }
}

/** The real names of a plugin's tables that exist. */
export async function listOwnTables(db: Knex, name: string): Promise<readonly string[]> {
  return (await listPluginTables(db)).filter((table) => table.startsWith(`plg_${pluginHash8(name)}_`))
}

/** The real names of every plugin's tables that exist. */
export async function listPluginTables(db: Knex): Promise<readonly string[]> {
  const rows = await db('pg_class')
    .join('pg_namespace', 'pg_namespace.oid', 'pg_class.relnamespace')
    .whereRaw('nspname = current_schema()')
    .whereIn('relkind', ['r', 'p'])
    .whereLike('relname', 'plg\\_%')
    .orderBy('relname')
    .select<{ relname: string }[]>('relname')
  return rows.map(({ relname }) => relname)
}

/** What the database says against a migration is the author's to know; that it cannot be reached is not. */
async function applyMigration(
  trx: Knex.Transaction,
  { id, steps, deadline }: { readonly id: string; readonly steps: readonly MigrationStep[]; readonly deadline: number },
): Promise<void> {
  try {
    for (const step of steps) {
      // Zero would mean no limit.
      await trx.raw(`set local statement_timeout = ${Math.max(deadline - Date.now(), 1)}`)
      await applyStep(trx, step)
    }
  } catch (error) {
    const { severity, message } = error as { severity?: unknown; message: string }
    if (severity !== 'ERROR') throw error
    throw new PluginMigrationFailedError(
      { migration: id, why: message.split(' - ').at(-1) ?? message },
      { cause: error },
    )
  }
}

async function applyStep(trx: Knex.Transaction, step: MigrationStep): Promise<void> {
  if ('enableTenantRows' in step) await enableTenantRows(trx, step.enableTenantRows)
  else await trx.raw(escapeBindings(step.sql)).queryContext(everybody)
}

/** Knex reads a question mark as a place for a value. */
function escapeBindings(sql: string): string {
  return sql.replaceAll('?', '\\?')
}
