import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Messages to users, of tenants and of the platform (tenant 0). */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('user_notifications', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('title').notNullable()
    table.text('body').notNullable()
    table.text('level').notNullable()
    table.text('link')
    table.text('source').notNullable()
    table.timestamp('read_at')
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.index(['tenant_id', 'user_id', 'id'])
    table.index(['created_at'])
  })
  await db.raw(
    'create index user_notifications_unread on user_notifications (tenant_id, user_id) where read_at is null',
  )
  await enableTenantRows(db, 'user_notifications')
}
