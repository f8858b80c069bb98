import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What namespaces held at some moment; the bytes of these objects stay for as long as a snapshot knows them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('storage_snapshots', (table) => {
    table.text('snapshot').notNullable()
    table.integer('tenant_id').notNullable()
    table.specificType('key', 'text collate "C"').notNullable()
    table.bigInteger('size').notNullable()
    table.text('sha256').notNullable()
    table.text('content_type').notNullable()
    table.text('driver').notNullable()
    table.text('storage_ref').notNullable()
    table.text('location').notNullable().index()
    table.timestamp('created_at').notNullable()
    table.timestamp('expires_at')
    table.primary(['snapshot', 'tenant_id', 'key'])
  })
  await enableTenantRows(db, 'storage_snapshots')
}
