import type { Knex } from 'knex'

/** Whose key a kept conversation is of, so that it goes with its user; those from before go with their age. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_responses add column user_id int;
    create index ai_responses_user on ai_responses (tenant_id, user_id) where user_id is not null`)
}
