import type { Knex } from 'knex'

// What else a log is searched for: what was done in another's place, which is rare, and what one request did.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index access_audit_log_acting on access_audit_log (tenant_id, acting_user_id, id) where acting_user_id is not null',
  )
  await knex.raw('create index access_audit_log_trace on access_audit_log (tenant_id, trace_id, id)')
}
