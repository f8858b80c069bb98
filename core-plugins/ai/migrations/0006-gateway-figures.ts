import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What the gateway did, a row for each minute, host and target; kept for a day. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_gateway_figures', (table) => {
    table.timestamp('at').notNullable()
    table.text('host_id').notNullable()
    table.integer('tenant_id').notNullable()
    // Empty for what is counted by request, not by attempt.
    table.text('target').notNullable()
    table.text('key').notNullable()
    table.text('model_id').notNullable()
    table.jsonb('figures').notNullable()
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.primary(['at', 'host_id', 'tenant_id', 'target', 'key', 'model_id'])
  })
  await enableTenantRows(db, 'ai_gateway_figures')
}
