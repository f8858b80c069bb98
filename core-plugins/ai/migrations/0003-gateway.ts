import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** How the gateway works, and where it sends requests: routes of the platform (tenant 0) and of tenants. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_gateway_settings', (table) => {
    table.integer('tenant_id').primary()
    table.jsonb('settings').notNullable()
    table.integer('version').notNullable()
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
  })
  await db.schema.createTable('ai_routes', (table) => {
    table.text('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('name').notNullable()
    table.boolean('enabled').notNullable()
    table.integer('priority').notNullable()
    table.jsonb('match').notNullable()
    table.text('strategy')
    table.jsonb('targets').notNullable()
    table.jsonb('fallbacks').notNullable()
    table.jsonb('cache')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.index(['tenant_id'])
  })
  const kind = 'ai.catalogue'
  for (const table of ['ai_gateway_settings', 'ai_routes']) await enableTenantRows(db, table)
  await noteChanges(db, { table: 'ai_routes', kind, subject: 'changed.id', columns: ['id', 'version'] })
  await noteChanges(db, {
    ...{ table: 'ai_gateway_settings', kind, subject: `'gateway'` },
    columns: ['tenant_id', 'version'],
  })
}
