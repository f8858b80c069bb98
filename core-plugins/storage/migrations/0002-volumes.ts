import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Places where bytes lie, those that settings have left included; and bytes that may have to be deleted. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('storage_volumes', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('driver').notNullable()
    table.text('place').notNullable()
    // The driver's settings, sealed as a whole.
    table.text('config').notNullable()
    table.text('base_url').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.unique(['tenant_id', 'driver', 'place'])
  })
  await enableTenantRows(db, 'storage_volumes')
  await db.schema.alterTable('storage_objects', (table) => {
    table.text('storage_ref').notNullable().defaultTo('local')
    table.index(['storage_ref'])
  })
  await db.schema.createTable('storage_discards', (table) => {
    table.text('location').primary()
    table.text('storage_ref').notNullable()
    table.timestamp('due_at').notNullable().index()
  })
}
