import type { Knex } from 'knex'

/** The roles of plugins that belong to this database; a server has those of all its databases, which other tests use at the same time. */
export async function pluginRoles(knex: Knex): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    String.raw`select rolname as name from pg_roles
      where rolname like 'plg\_%\_' || left(encode(sha256(current_database()::bytea), 'hex'), 8) order by 1`,
  )
  return rows.map(({ name }) => name)
}
