import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/**
 * The version that is used is counted beside the canary, in a table of its own: hosts of the release before still count canaries in theirs
 * while one is upgraded.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_stable_figures', (table) => {
    table.text('model_id').notNullable().references('ai_models.id').onDelete('cascade')
    // The version beside which it was counted.
    table.integer('canary').notNullable()
    table.integer('version').notNullable()
    table.integer('tenant_id').notNullable()
    table.bigInteger('attempts').notNullable()
    table.bigInteger('failures').notNullable()
    table.primary(['model_id', 'canary', 'version'])
  })
  await enableTenantRows(db, 'ai_stable_figures')
}
