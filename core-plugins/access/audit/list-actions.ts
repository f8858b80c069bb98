import type { Knex } from 'knex'

// Walks the index from one action to the next, so that a log of a million lines costs no more than it has actions.
const walk = `
  with recursive walked as (
    (select action from access_audit_log where tenant_id = :tenant order by action using ~<~ limit 1)
    union all
    select (
      select action from access_audit_log
      where tenant_id = :tenant and action ~>~ walked.action order by action using ~<~ limit 1
    ) from walked where walked.action is not null
  )
  select action from walked where action is not null limit 1000`

/** Every action that stands in a tenant's log, sorted. */
export async function listActions(tenantId: number, db: Knex): Promise<readonly string[]> {
  const { rows } = await db
    .raw<{ rows: readonly { readonly action: string }[] }>(walk, { tenant: tenantId })
    .queryContext({ tenant: tenantId })
  return rows.map(({ action }) => action)
}
