import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** What tenants pay for the platform's models, as a part of what those cost. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_markups', (table) => {
    table.integer('tenant_id').primary()
    table.text('factor').notNullable()
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
  })
  await enableTenantRows(db, 'ai_markups')
  const changed = { table: 'ai_markups', kind: 'ai.catalogue', subject: `'markup'` }
  await noteChanges(db, { ...changed, columns: ['tenant_id', 'factor'] })
}
