import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('access_audit_log', (table) => {
    table.integer('acting_user_id')
    // The sweep of old lines looks at all tenants at once.
    table.index(['created_at'])
  })
}
