import type { Knex } from 'knex'

/** What led to the conversations of a user who is no more is found without reading all that the tenant ever asked. */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    'create index ai_request_log_told on ai_request_log (tenant_id, user_id) where conversation_id is not null',
  )
}
