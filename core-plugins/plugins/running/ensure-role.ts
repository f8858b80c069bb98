import { lockUntilCommit } from '#kernel'
import { createPluginRole, grantTables, pluginRoleName, tableName, type PluginManifest } from '#sandbox'
import type { Knex } from 'knex'

/**
 * Makes the plugin's login role and lets it at its tables where that is not so. Roles belong to a server and not to a database, so
 * a database that was restored on another server comes without them.
 */
export async function ensureRole(db: Knex, { name, db: section }: PluginManifest, password: string): Promise<void> {
  if (!section) return
  const present = await listPresent(db, name, section.tables)
  if (await isReady(db, name, present)) return
  await db.transaction(async (trx) => {
    // Hosts that start at once would make the role twice.
    await lockUntilCommit(trx, `plugins.role:${name}`)
    if (await isReady(trx, name, present)) return
    await createPluginRole(trx, name, password)
    await grantTables(trx, name, present)
  })
}

/** Tables of the release that are there, by short name; what is missing is for a repair to find. */
async function listPresent(db: Knex, plugin: string, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { table: string }[] }>(
    `select relname as table from pg_class where relnamespace = to_regnamespace(current_schema()) and relname = any(?)`,
    [tables.map((table) => tableName(plugin, table))],
  )
  const present = new Set(rows.map(({ table }) => table))
  return tables.filter((table) => present.has(tableName(plugin, table)))
}

async function isReady(db: Knex, plugin: string, tables: readonly string[]): Promise<boolean> {
  const answer = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name')
  const role = pluginRoleName(plugin, answer.rows[0].name)
  const { rows } = await db.raw<{ rows: { held: boolean }[] }>(
    `select coalesce(bool_and(has_table_privilege(r.oid, held.name::regclass, privilege)), true) as held
       from pg_roles r
       left join unnest(?::text[]) held (name) on true
       left join unnest(array['select', 'insert', 'update', 'delete']) privilege on held.name is not null
      where r.rolname = ? group by r.oid`,
    [tables.map((table) => tableName(plugin, table)), role],
  )
  return rows[0]?.held === true
}
