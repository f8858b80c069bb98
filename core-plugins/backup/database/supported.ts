import type pg from 'pg'
import { BackupError } from '../backup-error.ts'

/**
 * The policy that every table of the platform and of plugins has: it shows all rows to whoever acts for all. With any other one rows
 * could be hidden from the dump and from the count that it is compared with.
 */
const showsAll = String.raw`^\(\(\( SELECT current_setting\('stoa\.tenant_id'::text, true\)( AS current_setting)?\) = 'all'::text\) OR `

const checks: readonly { readonly sql: string; readonly fault: string }[] = [
  {
    sql: `select c.relname as name from pg_class c
           where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relrowsecurity
             and (not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*'
                                and p.polroles = array[0::oid] and pg_get_expr(p.polqual, p.polrelid) ~ $2)
                  or exists (select 1 from pg_policy p where p.polrelid = c.oid and not p.polpermissive))`,
    fault: 'its row-level security may hide rows from the backup',
  },
  {
    sql: `select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid
           where c.relnamespace = to_regnamespace(quote_ident($1)) and p.polroles <> array[0::oid] and $2 <> ''`,
    fault: 'it has a policy for single roles',
  },
  {
    sql: `select relname as name from pg_class
           where relnamespace = to_regnamespace(quote_ident($1)) and relkind not in ('r', 'p', 'i', 'I', 'S', 'v') and $2 <> ''
             and not exists (select 1 from pg_depend e where e.objid = pg_class.oid and e.deptype = 'e')`,
    fault: 'it is no plain table, index, sequence or view',
  },
  {
    sql: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p') and $2 <> ''
             -- Partitions are written down, those of partitions are not.
             and (not c.relispartition or c.relkind = 'p')`,
    fault: 'it inherits from another table',
  },
  {
    sql: `select typname as name from pg_type
           where typnamespace = to_regnamespace(quote_ident($1)) and typtype in ('e', 'd', 'r') and $2 <> ''
             and not exists (select 1 from pg_depend e where e.objid = pg_type.oid and e.deptype = 'e')`,
    fault: 'it is a type of its own',
  },
]

/** Throws a BackupError for what a dump could not bring back exactly: better none than one that lacks something. */
export async function requireSupported(client: pg.Client, schema: string): Promise<void> {
  for (const { sql, fault } of checks) {
    const { rows } = await client.query<{ name: string }>(`${sql} limit 1`, [schema, showsAll])
    if (rows[0]) throw new BackupError(`${schema}.${rows[0].name} cannot be backed up: ${fault}`)
  }
}
