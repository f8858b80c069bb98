import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What the platform (tenant 0) or a tenant announces, and who has acknowledged it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('announcements', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.jsonb('title').notNullable()
    table.jsonb('body').notNullable()
    table.text('level').notNullable()
    table.jsonb('audience').notNullable()
    table.boolean('requires_acknowledgement').notNullable()
    table.timestamp('starts_at').notNullable()
    table.timestamp('expires_at')
    table.timestamp('told_at')
    table.integer('created_by').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.index(['tenant_id', 'starts_at'])
  })
  await db.schema.createTable('announcement_acknowledgements', (table) => {
    table.uuid('announcement_id').notNullable()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.timestamp('acknowledged_at').notNullable().defaultTo(db.fn.now())
    table.primary(['announcement_id', 'tenant_id', 'user_id'])
    table.index(['tenant_id', 'user_id'])
  })
  await enableTenantRows(db, 'announcements')
  await enableTenantRows(db, 'announcement_acknowledgements')
}
