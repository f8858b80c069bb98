import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Where events go, what signs them, and what was sent; of tenants, of users, and of the platform (tenant 0). */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('webhooks', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    // A user's own; null is the tenant's.
    table.integer('owner_id')
    table.text('name').notNullable()
    table.text('url').notNullable()
    table.text('host').notNullable()
    table.jsonb('events').notNullable()
    table.jsonb('filter').notNullable()
    table.text('state').notNullable()
    table.text('paused_for')
    table.integer('failures').notNullable().defaultTo(0)
    table.timestamp('failing_since')
    // In whose eyes its events are seen.
    table.integer('seen_by').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.index(['tenant_id', 'owner_id', 'id'])
  })
  await db.schema.createTable('webhook_secrets', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.uuid('webhook_id').notNullable().references('id').inTable('webhooks').onDelete('cascade')
    table.text('host').notNullable()
    table.text('sealed').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('expires_at')
    table.index(['webhook_id'])
  })
  await db.schema.createTable('webhook_deliveries', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.uuid('webhook_id').notNullable().references('id').inTable('webhooks').onDelete('cascade')
    table.text('event').notNullable()
    table.timestamp('occurred_at').notNullable()
    table.jsonb('data').notNullable()
    table.text('state').notNullable()
    table.integer('tries').notNullable().defaultTo(0)
    table.jsonb('attempts').notNullable().defaultTo('[]')
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('next_at')
    table.timestamp('ended_at')
    table.index(['tenant_id', 'webhook_id', 'id'])
    table.index(['created_at'])
  })
  for (const table of ['webhooks', 'webhook_secrets', 'webhook_deliveries']) await enableTenantRows(db, table)
}
