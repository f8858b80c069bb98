import type pg from 'pg'
import { quoted } from './session.ts'

/** A table, with the columns whose values are stored and not computed. */
export interface DumpedTable {
  readonly name: string
  /** Quoted. */
  readonly columns: readonly string[]
  /** Names the table's file, which changes when its rows are rewritten or thrown away as a whole. */
  readonly file: string
}

/** How a table is made; one in partitions has no rows of its own. */
interface MadeTable extends DumpedTable {
  readonly create: string
  readonly isPartitioned: boolean
}

interface ColumnRow {
  readonly table: string
  readonly file: string
  readonly unlogged: boolean
  readonly options: string | null
  /** Of a table in partitions: what they go by. */
  readonly partitions: string | null
  readonly name: string | null
  readonly type: string
  readonly collation: string | null
  readonly notNull: boolean
  readonly identity: '' | 'a' | 'd'
  readonly generated: '' | 's' | 'v'
  readonly expression: string | null
  /** Of an identity column: its sequence's name and settings. */
  readonly sequence: string | null
}

/** Tables with how they are made, without what is added once the rows are in. */
export async function readTables(client: pg.Client, schema: string): Promise<readonly MadeTable[]> {
  const { rows } = await client.query<ColumnRow>(columnsQuery, [schema])
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return [...byTable].map(([name, columns]) => {
    const { file, unlogged, options, partitions } = columns[0]!
    const present = columns.filter((column) => column.name !== null)
    const head = `create ${unlogged ? 'unlogged ' : ''}table ${quoted(name)}`
    const tail = `${partitions === null ? '' : ` partition by ${partitions}`}${options === null ? '' : ` with (${options})`}`
    const create = `${head} (${present.map(presentColumn).join(', ')})${tail}`
    const stored = present.filter(({ generated }) => generated === '')
    const isPartitioned = partitions !== null
    return { name, file, create, isPartitioned, columns: stored.map((column) => quoted(column.name!)) }
  })
}

function presentColumn({
  name,
  type,
  collation,
  notNull,
  identity,
  generated,
  expression,
  sequence,
}: ColumnRow): string {
  const parts = [quoted(name!), type]
  if (collation !== null) parts.push(`collate ${collation}`)
  if (generated !== '') parts.push(`generated always as (${expression}) ${generated === 's' ? 'stored' : 'virtual'}`)
  else if (identity !== '')
    parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity (${sequence})`)
  else if (expression !== null) parts.push(`default ${expression}`)
  if (notNull) parts.push('not null')
  return parts.join(' ')
}

const columnsQuery = `
  select c.relname as table, c.relfilenode::text as file, c.relpersistence = 'u' as unlogged,
         array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as partitions,
         a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         case when a.attcollation <> t.typcollation
           then (select format('%I.%I', n.nspname, l.collname) from pg_collation l
                   join pg_namespace n on n.oid = l.collnamespace where l.oid = a.attcollation) end as collation,
         a.attnotnull as "notNull", a.attidentity as identity, a.attgenerated as generated,
         pg_get_expr(d.adbin, d.adrelid) as expression,
         (select format('sequence name %I increment by %s minvalue %s maxvalue %s start with %s cache %s %s', sc.relname,
                   s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
                   case when s.seqcycle then 'cycle' else 'no cycle' end)
            from pg_depend p join pg_class sc on sc.oid = p.objid join pg_sequence s on s.seqrelid = sc.oid
           where p.classid = 'pg_class'::regclass and p.refobjid = c.oid and p.refobjsubid = a.attnum and p.deptype = 'i') as sequence
    from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relkind in ('r', 'p') and c.relnamespace = to_regnamespace(quote_ident($1))
     and not exists (select 1 from pg_depend e where e.objid = c.oid and e.deptype = 'e')
   order by c.relname, a.attnum`
