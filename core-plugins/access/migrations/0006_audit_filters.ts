import type { Knex } from 'knex'

// What a log is searched for: a search that finds little reads little. Actions are searched for by how they begin.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index access_audit_log_action on access_audit_log (tenant_id, action text_pattern_ops, id)')
  await knex.raw('create index access_audit_log_target on access_audit_log (tenant_id, target, id)')
  await knex.raw('create index access_audit_log_actor on access_audit_log (tenant_id, actor_id, id)')
}
