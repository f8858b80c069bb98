import type { Knex } from 'knex'

/** What led to the conversations of a user who is no more is found without reading all that the tenant ever used. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create index ai_usage_told on ai_usage (tenant_id, user_id) where conversation_id is not null')
}
