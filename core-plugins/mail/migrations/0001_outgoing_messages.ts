import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Messages on their way; what they say and to whom is sealed. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('outgoing_messages', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('payload').notNullable()
    table.text('state').notNullable().defaultTo('queued')
    table.integer('attempts').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('not_before').notNullable().defaultTo(db.fn.now())
    table.timestamp('leased_until')
    table.text('error')
    table.timestamp('failed_at')
  })
  await db.raw(`create index outgoing_messages_due on outgoing_messages (not_before) where state = 'queued'`)
  await db.raw(`create index outgoing_messages_failed on outgoing_messages (failed_at) where state = 'failed'`)
  await enableTenantRows(db, 'outgoing_messages')
}
