import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** How attempts with canaries went that are to end when too many fail, over all hosts. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_canary_figures', (table) => {
    table.text('model_id').notNullable().references('ai_models.id').onDelete('cascade')
    table.integer('version').notNullable()
    table.integer('tenant_id').notNullable()
    table.bigInteger('attempts').notNullable()
    table.bigInteger('failures').notNullable()
    table.primary(['model_id', 'version'])
  })
  await enableTenantRows(db, 'ai_canary_figures')
}
