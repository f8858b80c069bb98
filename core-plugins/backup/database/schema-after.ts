import type pg from 'pg'

// Each answers statements in the column `sql`. Grants to the roles of plugins are not among them: roles belong to a server and not to
// a database, and the start of a plugin makes its role and gives it what it needs.
const queries = [
  // PostgreSQL 18 names also what `not null` is; that stands with the column.
  `select format('alter table %I add constraint %I %s', c.relname, o.conname, pg_get_constraintdef(o.oid)) as sql
     from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p') and o.contype in ('p', 'u', 'c', 'x')
    order by c.relname, array_position(array['p', 'u', 'x', 'c'], o.contype::text), o.conname`,
  // Those of kinds that an extension brings, as pgvector's, are left out: the other server may not have it, and the platform makes them anew.
  `select pg_get_indexdef(i.indexrelid) as sql
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend e where e.classid = 'pg_am'::regclass and e.objid = x.relam and e.deptype = 'e')
      and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
    order by x.relname`,
  // Joined once keys and indexes stand on both sides: those of the partition become parts of the table's.
  `select format('alter table %I attach partition %I %s', t.relname, c.relname, pg_get_expr(c.relpartbound, c.oid)) as sql
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class t on t.oid = i.inhparent
    where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relispartition and c.relkind = 'r'
    order by t.relname, c.relname`,
  `select format('alter table %I add constraint %I %s', c.relname, o.conname, pg_get_constraintdef(o.oid)) as sql
     from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r' and o.contype = 'f'
    order by c.relname, o.conname`,
  `select format('create view %I%s as %s', relname,
                 case when reloptions is null then '' else format(' with (%s)', array_to_string(reloptions, ', ')) end,
                 pg_get_viewdef(oid)) as sql
     from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind = 'v'
      and not exists (select 1 from pg_depend e where e.objid = pg_class.oid and e.deptype = 'e')
    order by oid`,
  `select format('create policy %I on %I as %s for %s to public%s%s', p.polname, c.relname,
                 case when p.polpermissive then 'permissive' else 'restrictive' end,
                 case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
                 ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
                 ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as sql
     from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = to_regnamespace(quote_ident($1)) order by c.relname, p.polname`,
  `select format('alter table %I enable row level security%s', relname,
                 case when relforcerowsecurity then ', force row level security' else '' end) as sql
     from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p') and relrowsecurity order by relname`,
  `select pg_get_triggerdef(t.oid) as sql
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = to_regnamespace(quote_ident($1)) and not t.tgisinternal order by c.relname, t.tgname`,
]

/** What is added once the rows are in: keys, checks, indexes, references, views, row-level security, triggers. */
export async function readAfter(client: pg.Client, schema: string): Promise<readonly string[]> {
  const statements: string[] = []
  for (const query of queries) {
    const { rows } = await client.query<{ sql: string }>(query, [schema])
    statements.push(...rows.map(({ sql }) => sql))
  }
  return statements
}
