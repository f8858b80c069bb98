import type pg from 'pg'
import { quoted } from './session.ts'

interface SequenceRow {
  readonly name: string
  readonly sql: string
  readonly owner: string | null
}

/** Where a sequence is. */
export interface SequencePosition {
  readonly name: string
  readonly last: string
  readonly isCalled: boolean
}

/** Sequences that stand on their own, as those of serial columns do: how they are made, and whose they are. */
export async function readSequences(
  client: pg.Client,
  schema: string,
): Promise<{ readonly create: readonly string[]; readonly own: readonly string[] }> {
  const { rows } = await client.query<SequenceRow>(
    `select quote_ident(c.relname) as name,
            format('create sequence %I as %s increment by %s minvalue %s maxvalue %s start with %s cache %s %s', c.relname,
              format_type(s.seqtypid, null), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
              case when s.seqcycle then 'cycle' else 'no cycle' end) as sql,
            (select format('%I.%I', t.relname, a.attname) from pg_depend d
               join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
              where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'a') as owner
       from pg_class c join pg_sequence s on s.seqrelid = c.oid
      where c.relnamespace = to_regnamespace(quote_ident($1))
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'e'))
      order by c.relname`,
    [schema],
  )
  return {
    create: rows.map(({ sql }) => sql),
    own: rows.flatMap(({ name, owner }) => (owner === null ? [] : [`alter sequence ${name} owned by ${owner}`])),
  }
}

/** Where every sequence is now, those of identity columns included: at least where the rows of an earlier snapshot left it. */
export async function readPositions(client: pg.Client, schema: string): Promise<readonly SequencePosition[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'S' and relnamespace = to_regnamespace(quote_ident($1)) order by relname`,
    [schema],
  )
  const positions: SequencePosition[] = []
  for (const { name } of rows) {
    const found = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value as last, is_called as "isCalled" from ${quoted(name)}`,
    )
    positions.push({ name, ...found.rows[0]! })
  }
  return positions
}
