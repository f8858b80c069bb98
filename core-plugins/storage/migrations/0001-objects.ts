import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What is known of stored objects; their bytes lie with a driver, under a location that says nothing of the key. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('storage_objects', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('namespace').notNullable()
    // In the order of bytes, so that a page's cursor means the same on every server.
    table.specificType('key', 'text collate "C"').notNullable()
    table.bigInteger('size').notNullable()
    table.text('sha256').notNullable()
    table.text('content_type').notNullable()
    table.text('driver').notNullable()
    table.text('location').notNullable().unique()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('expires_at')
    table.unique(['tenant_id', 'namespace', 'key'])
    table.index(['namespace'])
  })
  await db.raw('create index storage_objects_expiring on storage_objects (expires_at) where expires_at is not null')
  await enableTenantRows(db, 'storage_objects')
}
