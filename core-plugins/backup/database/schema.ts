import type pg from 'pg'
import { readAfter } from './schema-after.ts'
import { readSequences } from './schema-sequences.ts'
import { readTables, type DumpedTable } from './schema-tables.ts'
import { requireSupported } from './supported.ts'

/** What a database is made of, as statements in their order: before the rows come, and after. */
export interface DumpedSchema {
  readonly before: readonly string[]
  readonly tables: readonly DumpedTable[]
  readonly after: readonly string[]
}

/** Reads the definitions of everything in a schema from the catalogue; what cannot be written down throws a BackupError. */
export async function readSchema(client: pg.Client, schema: string): Promise<DumpedSchema> {
  await requireSupported(client, schema)
  const sequences = await readSequences(client, schema)
  const tables = await readTables(client, schema)
  const functions = await readFunctions(client, schema)
  return {
    before: [...sequences.create, ...functions, ...tables.map(({ create }) => create)],
    tables: tables
      .filter(({ isPartitioned }) => !isPartitioned)
      .map(({ name, columns, file }) => ({ name, columns, file })),
    after: [...sequences.own, ...(await readAfter(client, schema))],
  }
}

async function readFunctions(client: pg.Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ sql: string }>(
    `select pg_get_functiondef(p.oid) as sql from pg_proc p
      where p.pronamespace = to_regnamespace(quote_ident($1)) and p.prokind in ('f', 'p')
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by p.oid`,
    [schema],
  )
  return rows.map(({ sql }) => sql)
}
