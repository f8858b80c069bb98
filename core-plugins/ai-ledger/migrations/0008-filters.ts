import type { Knex } from 'knex'

/** Rows of the ledger are found by what the platform asks for over all tenants. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index ai_usage_provider on ai_usage (provider_id, at desc, id desc);
    create index ai_usage_model on ai_usage (model, at desc, id desc);
    create index ai_usage_key on ai_usage (key_id, at desc, id desc) where key_id is not null`)
}
