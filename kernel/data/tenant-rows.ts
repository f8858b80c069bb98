import type { Knex } from 'knex'

// Both settings stand in a subselect of their own, so that the server reads them once per statement and not once per row.
const whole = `(select current_setting('stoa.tenant_id', true)) = 'all'`
const own = `tenant_id = (select nullif(nullif(current_setting('stoa.tenant_id', true), ''), 'all')::bigint)`

/** For migrations: shows and takes rows of a table only for the tenant of the query, or for the platform acting for all. */
export async function enableTenantRows(db: Knex, table: string): Promise<void> {
  // Forced, because the platform's role owns the table and owners are exempt otherwise. Together: each would wait for the server.
  await db.raw(
    `alter table ?? enable row level security, force row level security;
     create policy tenant_rows on ?? using (${whole} or ${own}) with check (${whole} or ${own})`,
    [table, table],
  )
}
