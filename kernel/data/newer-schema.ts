import type { Knex } from 'knex'
import { StartError } from '../start-error.ts'
import { listMigrations, migrationRecords, type DoneMigrations, type InheritedMigrations } from './migrate.ts'

/** What has migrations: a plugin, or the kernel. */
interface Migrating {
  readonly name: string
  readonly migrations?: string | undefined
  readonly inherited?: InheritedMigrations | undefined
}

interface Applied {
  readonly plugin: string
  readonly name: string
}

/**
 * Refuses a database that a newer version has migrated: this one would use its tables as they were before. A host that runs
 * while a newer one migrates stays, because migrations keep what the version before them needs; and no migration that was
 * released is ever renamed or deleted: one that moves to another plugin is inherited by it. `isWhole` says that this version has
 * no other plugins. Answers with what was done before.
 */
export async function refuseNewerSchema(
  knex: Knex,
  all: readonly Migrating[],
  isWhole: boolean,
): Promise<DoneMigrations> {
  if (!(await knex.schema.hasTable(migrationRecords))) return new Map()
  const applied = await knex(migrationRecords).orderBy(['plugin', 'name']).select<Applied[]>('plugin', 'name')
  const known = new Map<string, Set<string>>()
  const know = (plugin: string, names: readonly string[]) =>
    known.set(plugin, new Set([...(known.get(plugin) ?? []), ...names]))
  for (const { name, migrations, inherited } of all) {
    know(name, migrations ? await listMigrations(migrations) : [])
    if (inherited) know(inherited.from, Object.values(inherited.migrations))
  }
  const unknown = applied.find(({ plugin, name }) => !(known.get(plugin)?.has(name) ?? !isWhole))
  if (!unknown) return byPlugin(applied)
  const { plugin, name } = unknown
  throw new StartError(
    `The database belongs to a newer version of Stoa: this one does not know the migration ${name} of ${plugin}. Start that version, or a later one`,
  )
}

function byPlugin(applied: readonly Applied[]): DoneMigrations {
  const groups = Map.groupBy(applied, ({ plugin }) => plugin)
  return new Map([...groups].map(([plugin, rows]) => [plugin, new Set(rows.map(({ name }) => name))]))
}
