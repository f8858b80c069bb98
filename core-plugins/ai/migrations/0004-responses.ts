import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Conversations that clients go on with by `previous_response_id`; `messages` is JSON, as text, since it may hold any character. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_responses', (table) => {
    table.text('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('key_id').notNullable()
    table.text('messages').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('expires_at').notNullable()
    table.index(['tenant_id', 'expires_at'])
  })
  await enableTenantRows(db, 'ai_responses')
}
