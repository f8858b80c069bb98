import type { Knex } from 'knex'

/** A message is found by the id that its sender gave it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index ai_messages_client on ai_messages (tenant_id, client_message_id) where client_message_id is not null;
    create index ai_runs_question on ai_runs (user_message_id)`)
}
