import { BackupError } from '../backup-error.ts'
import type { Session } from '../database/session.ts'

const everything = `
  select 1 as rank, format('drop view if exists %I cascade', relname) as sql from pg_class
   where relnamespace = to_regnamespace(quote_ident($1)) and relkind = 'v'
     and not exists (select 1 from pg_depend e where e.objid = pg_class.oid and e.deptype = 'e')
  union all select 2, format('drop table if exists %I cascade', relname) from pg_class
   where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p')
     and not exists (select 1 from pg_depend e where e.objid = pg_class.oid and e.deptype = 'e')
  union all select 3, format('drop sequence if exists %I cascade', relname) from pg_class
   where relnamespace = to_regnamespace(quote_ident($1)) and relkind = 'S'
     and not exists (select 1 from pg_depend e where e.objid = pg_class.oid and e.deptype = 'e')
  union all select 4, format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
   where pronamespace = to_regnamespace(quote_ident($1))
     and not exists (select 1 from pg_depend e where e.objid = pg_proc.oid and e.deptype = 'e')
  order by 1, 2`

/** Throws a BackupError unless the schema is empty; with `force` empties it, as part of the open transaction. */
export async function clearSchema({ client, schema }: Session, force: boolean): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(everything, [schema])
  if (rows.length === 0) return
  if (!force) throw new BackupError('The database is not empty: take an empty one, or let --force delete what is in it')
  for (const { sql } of rows) await client.query(sql)
}

/** Throws a BackupError while a host of the platform, or one of its plugins, is connected to the database. */
export async function requireNoHost({ client }: Session): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (application_name in ('stoa', 'stoa-host') or application_name like 'stoa %') limit 1`,
  )
  if (rows.length > 0) throw new BackupError('A host of the platform runs on this database: stop it first')
}
