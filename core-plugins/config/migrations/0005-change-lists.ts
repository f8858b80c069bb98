import type { Knex } from 'knex'

/** The platform's list of changes that tenants ask for, newest first, whatever it is narrowed to. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('system_config_change_requests', (table) => {
    for (const column of ['state', 'group_code', 'requested_by', 'decided_by']) table.index([column, 'id'])
    table.index(['tenant_id', 'id'])
    table.index(['requested_at'])
  })
}
