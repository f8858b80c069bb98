import { pluginRoleName, tableName, type PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import { listOwnTables } from '../tables/own-tables.ts'
import { ReleaseRow } from '../shared/models.ts'

/** How the tables of a plugin are. */
export interface TableState {
  /** Declared by the active release and not there. */
  readonly missing: readonly string[]
  /** There, and declared by no release that is kept. */
  readonly stray: readonly string[]
  /** Without row-level security. */
  readonly open: readonly string[]
  /** None is there, although migrations were applied. */
  readonly isEmptied: boolean
  readonly applied: readonly string[]
  /** Tables that the plugin's role cannot use; undefined where there is no role. */
  readonly closed: readonly string[] | undefined
}

/** Looks at the tables of a plugin, its migrations and its role. */
export async function readTableState(db: Knex, { name, db: section }: PluginManifest): Promise<TableState> {
  const present = await listOwnTables(db, name)
  const declared = (section?.tables ?? []).map((table) => tableName(name, table))
  const releases = await ReleaseRow.with(db).where({ name })
  const known = releases.flatMap(({ manifest }) => (manifest.db?.tables ?? []).map((table) => tableName(name, table)))
  const rows = await db('plugin_migrations')
    .where({ plugin: name })
    .orderBy('migration')
    .select<{ migration: string }[]>('migration')
  const usable = declared.filter((table) => present.includes(table))
  return {
    missing: declared.filter((table) => !present.includes(table)),
    stray: present.filter((table) => !known.includes(table)),
    open: await listOpen(db, usable),
    isEmptied: rows.length > 0 && declared.length > 0 && usable.length === 0,
    applied: rows.map(({ migration }) => migration),
    closed: await listClosed(db, name, usable),
  }
}

/** Tables with tenants' rows that a forgotten condition would show to every tenant. */
async function listOpen(db: Knex, tables: readonly string[]): Promise<readonly string[]> {
  if (tables.length === 0) return []
  const { rows } = await db.raw<{ rows: { table: string }[] }>(
    `select relname as table from pg_class
      where relnamespace = to_regnamespace(current_schema()) and relname = any(?)
        and exists (select 1 from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and attnum > 0)
        and not (relrowsecurity and relforcerowsecurity
                 and exists (select 1 from pg_policy where polrelid = pg_class.oid and polname = 'tenant_rows'))
      order by relname`,
    [[...tables]],
  )
  return rows.map(({ table }) => table)
}

async function listClosed(db: Knex, plugin: string, tables: readonly string[]): Promise<readonly string[] | undefined> {
  const answer = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name')
  const role = pluginRoleName(plugin, answer.rows[0].name)
  const { rows: roles } = await db.raw<{ rows: unknown[] }>('select 1 from pg_roles where rolname = ?', [role])
  if (roles.length === 0) return undefined
  const closed = []
  for (const table of tables) {
    const { rows } = await db.raw<{ rows: [{ held: boolean }] }>(
      `select bool_and(has_table_privilege(?, ?, privilege)) as held
         from unnest(array['select', 'insert', 'update', 'delete']) privilege`,
      [role, table],
    )
    if (!rows[0].held) closed.push(table)
  }
  return closed
}
