import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Knex } from 'knex'
import type { Logger } from '../log.ts'
import { MigrationError } from './errors.ts'
import { lockUntilCommit } from './transaction-lock.ts'
import { programExtension } from '../program-extension.ts'
import { allowTime } from './transaction-time.ts'

/** Whoever writes a migration bounds its time; a host waits for that of another one as long. In milliseconds. */
export const longestMigration = 24 * 3_600_000

/** What a migration file exports, by name or as its default export. */
interface Migration {
  up(knex: Knex): Promise<void>
  down?(knex: Knex): Promise<void>
}

/** Migrations that belonged to another plugin before. */
export interface InheritedMigrations {
  /** The plugin that had them. */
  readonly from: string
  /** By the name of each here, the one that did its work there. */
  readonly migrations: Readonly<Record<string, string>>
}

/** The migrations that a start found done, by plugin: none of them is ever undone. */
export type DoneMigrations = ReadonlyMap<string, ReadonlySet<string>>

/** The table of the migrations that have run. */
export const migrationRecords = 'schema_migrations'
const records = migrationRecords
const sourceExtension = '.ts'

/**
 * Runs a plugin's migrations that have not run yet, in the order of their names, each in a transaction of its own; one that it
 * inherited and that ran as another plugin's is recorded and not run again. Asks nothing of the database where all are `done`.
 */
export async function migrate(
  knex: Knex,
  plugin: string,
  folder: string,
  log: Logger,
  inherited?: InheritedMigrations,
  done?: DoneMigrations,
): Promise<void> {
  const names = await listMigrations(folder)
  if (names.every((name) => done?.get(plugin)?.has(name))) return
  await ensureRecords(knex)
  const applied = new Set<string>(await knex(records).where({ plugin }).pluck('name'))
  for (const name of names.filter((candidate) => !applied.has(candidate))) {
    try {
      const isDone = await applyOnce(knex, { plugin, name, folder, inherited })
      if (isDone) log.info({ plugin, migration: name }, 'Migrated')
    } catch (cause) {
      throw new MigrationError({ name, plugin }, { cause })
    }
  }
}

/** The migrations of a folder in their order, named as their sources are; a compiled program has the same. */
export async function listMigrations(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  const own = files.filter((file) => path.extname(file) === programExtension && !file.endsWith('.d.ts'))
  return own.map((file) => `${path.basename(file, programExtension)}${sourceExtension}`).sort()
}

interface Step {
  readonly plugin: string
  readonly name: string
  readonly folder: string
  readonly inherited: InheritedMigrations | undefined
}

/** Two hosts that boot at once meet at the lock, which ends with the transaction; the second then finds the record. */
async function applyOnce(knex: Knex, { plugin, name, folder, inherited }: Step): Promise<boolean> {
  return knex.transaction(async (trx) => {
    await allowTime(trx, longestMigration)
    await lockUntilCommit(trx, `stoa.${records}`)
    const done: unknown = await trx(records).where({ plugin, name }).first()
    if (done) return false
    const hasRun = await ranElsewhere(trx, name, inherited)
    const file = path.join(folder, path.basename(name, sourceExtension) + programExtension)
    if (!hasRun) await (await load(file)).up(trx)
    await trx(records).insert({ plugin, name })
    return !hasRun
  })
}

async function ranElsewhere(trx: Knex, name: string, inherited?: InheritedMigrations): Promise<boolean> {
  const there = inherited?.migrations[name]
  if (there === undefined) return false
  const row: unknown = await trx(records).where({ plugin: inherited?.from, name: there }).first()
  return row !== undefined
}

async function load(file: string): Promise<Migration> {
  const module = (await import(pathToFileURL(file).href)) as Partial<Migration> & { default?: Partial<Migration> }
  const migration = module.up ? module : module.default
  if (typeof migration?.up !== 'function') throw new TypeError(`${file} exports no function named up`)
  return migration as Migration
}

async function ensureRecords(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable(records)) return
  await knex.transaction(async (trx) => {
    await allowTime(trx, longestMigration)
    await lockUntilCommit(trx, `stoa.${records}`)
    if (await trx.schema.hasTable(records)) return
    await trx.schema.createTable(records, (table) => {
      table.text('plugin').notNullable()
      table.text('name').notNullable()
      table.timestamp('applied_at').notNullable().defaultTo(trx.fn.now())
      table.primary(['plugin', 'name'])
    })
  })
}
