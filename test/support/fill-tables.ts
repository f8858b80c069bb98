import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'

type Row = Readonly<Record<string, unknown>>

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
}
interface Reference {
  readonly table: string
  readonly columns: readonly string[]
  readonly target: string
  readonly targets: readonly string[]
}

const samples: Readonly<Record<string, () => unknown>> = {
  int4: () => 1,
  int8: () => 1,
  float4: () => 1,
  float8: () => 1,
  text: () => randomUUID(),
  uuid: () => randomUUID(),
  bool: () => true,
  jsonb: () => '{}',
  timestamptz: () => new Date(),
  date: () => new Date(),
  bytea: () => Buffer.from('x'),
  tsvector: () => '',
  _text: () => [],
  _int4: () => [],
  _int8: () => [],
  _float4: () => [],
  _float8: () => [],
}

/** The tables of the platform whose rows belong to tenants. */
export async function listTenantTables(db: Knex): Promise<readonly string[]> {
  const tables = (await readColumns(db)).filter(({ name }) => name === 'tenant_id').map(({ table }) => table)
  return tables.sort()
}

/**
 * Puts a row of a tenant into every table that has such rows, with whatever other rows it refers to. The values mean nothing,
 * so the checks of the tables are taken away first.
 */
export async function fillTables(db: Knex, tenantId: number): Promise<void> {
  await dropChecks(db)
  const columns = await readColumns(db)
  const references = await readReferences(db)
  // A plugin's tables take the tenant from here.
  const context = { tenant: tenantId }

  async function rowOf(table: string): Promise<Row> {
    const own = columns.filter((column) => column.table === table)
    const isTenants = own.some(({ name }) => name === 'tenant_id')
    const found = await db(table)
      .where(isTenants ? { tenant_id: tenantId } : {})
      .queryContext(context)
      .first<Row | undefined>()
    return found ?? insert(table, own)
  }

  async function insert(table: string, own: readonly Column[]): Promise<Row> {
    const row: Record<string, unknown> = {}
    for (const { name, type, required } of own) {
      if (name === 'tenant_id') row[name] = tenantId
      // What is over would be swept away.
      else if (name === 'expires_at') row[name] = new Date(Date.now() + 3_600_000)
      else if (required) row[name] = samples[type]?.()
    }
    for (const reference of references.filter((each) => each.table === table)) {
      if (!reference.columns.every((name) => name in row)) continue
      const target = await rowOf(reference.target)
      for (const [index, name] of reference.columns.entries()) {
        if (name !== 'tenant_id') row[name] = target[reference.targets[index] ?? '']
      }
    }
    const inserted: unknown = await db(table).insert(row).returning('*').queryContext(context)
    return (inserted as Row[])[0] ?? {}
  }

  for (const table of await listTenantTables(db)) await rowOf(table)
}

async function dropChecks(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { table: string; name: string }[] }>(`
    select conrelid::regclass::text as "table", conname as name
      from pg_constraint where contype = 'c' and conrelid <> 0 and connamespace = current_schema()::regnamespace`)
  for (const { table, name } of rows) await db.raw('alter table ?? drop constraint ??', [table, name])
}

async function readColumns(db: Knex): Promise<readonly Column[]> {
  const { rows } = await db.raw<{ rows: Column[] }>(`
    select columns.table_name as "table", column_name as name, udt_name as type,
           is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE'
       -- What is in a partition is in its table.
       and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)`)
  return rows
}

async function readReferences(db: Knex): Promise<readonly Reference[]> {
  const { rows } = await db.raw<{ rows: Reference[] }>(`
    select own.relname as "table", other.relname as target,
           (select json_agg(attname order by place) from unnest(conkey) with ordinality key (number, place)
              join pg_attribute on attrelid = conrelid and attnum = number) as columns,
           (select json_agg(attname order by place) from unnest(confkey) with ordinality key (number, place)
              join pg_attribute on attrelid = confrelid and attnum = number) as targets
      from pg_constraint join pg_class own on own.oid = conrelid join pg_class other on other.oid = confrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace`)
  return rows
}
