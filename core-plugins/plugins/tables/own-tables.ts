import { allowTime, enableTenantRows } from '#kernel'
import type { OpenedPackage } from '#marketplace'
import {
  createPluginRole,
  dropPluginRole,
  grantTables,
  sandboxLimits,
  pluginHash8,
  type MigrationStep,
  type PluginManifest,
} from '#sandbox'
import type { Knex } from 'knex'
import {
  PluginMigrationFailedError,
  PluginMigrationOneWayError,
  PluginMigrationsChangedError,
  PluginTablesBusyError,
} from '../shared/errors.ts'
import { TableGrowth } from './table-growth.ts'

const lockNotAvailable = '55P03'
/** Statements after which tables may be larger. */
const growing = /^(insert|update|alter|create (unique )?index) /
const everybody = { tenant: 'all' } as const

/** What a release says of its tables; of its files only the migrations count. */
export type ReleaseTables = Pick<OpenedPackage, 'migrations'> & {
  readonly manifest: Pick<PluginManifest, 'name' | 'version' | 'db'>
  readonly files?: readonly { readonly path: string; readonly sha256: string }[]
}

/** What the migrations of a release may take. */
interface MigrationBounds {
  readonly milliseconds?: number
  readonly megabytes?: number
}

/** Makes a plugin's tables, all of them within these bounds, and the login role that reaches nothing but them. */
export async function createOwnTables(
  trx: Knex.Transaction,
  release: ReleaseTables,
  password: string,
  bounds: MigrationBounds = {},
): Promise<void> {
  await migrateOwnTables(trx, release, password, bounds)
}

/**
 * Applies the migrations of a release that were not applied yet and lets the plugin's role at its tables; answers their ids.
 * Throws 400/4009 when those that were applied are not the release's first ones, unchanged.
 */
export async function migrateOwnTables(
  trx: Knex.Transaction,
  { manifest: { name, version, db }, migrations, files = [] }: ReleaseTables,
  password: string,
  { milliseconds = sandboxLimits.migrationMs.max, megabytes = sandboxLimits.migrationMb.max }: MigrationBounds = {},
): Promise<readonly string[]> {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const listed = migrations.map(({ id, up }) => ({
    id,
    steps: up,
    hash: hashes.get(`migrations/${id}.up.sql`) ?? null,
  }))
  const applied = await listApplied(trx, name)
  requireSameHistory(applied, listed)
  if (!db) return []
  const deadline = Date.now() + milliseconds
  await trx.raw(`set local lock_timeout = '3s'`)
  await createPluginRole(trx, name, password)
  const missing = listed.slice(applied.length)
  const growth = await TableGrowth.begin(trx, name, megabytes)
  for (const { id, steps, hash } of missing) {
    await applyMigration(trx, { id, steps, deadline, growth })
    await trx('plugin_migrations').insert({ plugin: name, migration: id, version, hash })
  }
  await grantTables(trx, name, db.tables)
  return missing.map(({ id }) => id)
}

/**
 * Takes back what was applied of a release beyond another one's migrations, the last first, and leaves the role the other
 * one's tables; answers the ids. Throws 409/4094 when one of them has no down file.
 */
export async function revertOwnTables(
  trx: Knex.Transaction,
  from: ReleaseTables,
  to: ReleaseTables,
  milliseconds: number = sandboxLimits.migrationMs.max,
): Promise<readonly string[]> {
  const { name } = from.manifest
  const deadline = Date.now() + milliseconds
  await trx.raw(`set local lock_timeout = '3s'`)
  const kept = new Set(to.migrations.map(({ id }) => id))
  const ids = (await listApplied(trx, name)).map(({ migration }) => migration).filter((id) => !kept.has(id))
  const reverted = ids.toReversed()
  const growth = await TableGrowth.begin(trx, name, sandboxLimits.migrationMb.max)
  for (const id of reverted) {
    const steps = from.migrations.find((migration) => migration.id === id)?.down
    if (!steps) throw new PluginMigrationOneWayError({ migration: id })
    await applyMigration(trx, { id, steps, deadline, growth })
    await trx('plugin_migrations').where({ plugin: name, migration: id }).delete()
  }
  if (from.manifest.db) await grantTables(trx, name, to.manifest.db?.tables ?? [])
  return reverted
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

interface Applied {
  readonly migration: string
  readonly hash: string | null
}

function listApplied(db: Knex, plugin: string): Promise<readonly Applied[]> {
  return db('plugin_migrations').where({ plugin }).orderBy('migration').select<Applied[]>('migration', 'hash')
}

/** What was done to the tables is the beginning of what the release would do. */
function requireSameHistory(
  applied: readonly Applied[],
  listed: readonly { readonly id: string; readonly hash: string | null }[],
): void {
  const changed = applied.find(({ migration, hash }, index) => {
    const same = listed[index]
    return same?.id !== migration || (hash !== null && hash !== same.hash)
  })
  if (changed) throw new PluginMigrationsChangedError({ migration: changed.migration })
}

interface Migration {
  readonly id: string
  readonly steps: readonly MigrationStep[]
  readonly deadline: number
  readonly growth: TableGrowth
}

/** What the database says against a migration is the author's to know; that it cannot be reached is not. */
async function applyMigration(trx: Knex.Transaction, migration: Migration): Promise<void> {
  const { id, steps } = migration
  try {
    for (const step of steps) await applyStep(trx, step, migration)
  } catch (error) {
    const { severity, code, message } = error as { severity?: unknown; code?: unknown; message: string }
    if (code === lockNotAvailable) throw new PluginTablesBusyError({ cause: error })
    if (severity !== 'ERROR') throw error
    const why = withoutValues(String(code), message.split(' - ').at(-1) ?? message)
    throw new PluginMigrationFailedError({ migration: id, why }, { cause: error })
  }
}

/** What cannot be converted is quoted by the database, and is a tenant's. */
function withoutValues(code: string, message: string): string {
  return code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message
}

async function applyStep(
  trx: Knex.Transaction,
  step: MigrationStep,
  { id, deadline, growth }: Migration,
): Promise<void> {
  // Zero would mean no limit.
  await allowTime(trx, Math.max(deadline - Date.now(), 1))
  if ('enableTenantRows' in step) return enableTenantRows(trx, step.enableTenantRows)
  await growth.foresee(id, step)
  await trx.raw(escapeBindings(step.sql)).queryContext(everybody)
  if (growing.test(step.sql)) await growth.look(id)
}

/** Knex reads a question mark as a place for a value. */
function escapeBindings(sql: string): string {
  return sql.replaceAll('?', '\\?')
}
