import type { Knex } from 'knex'

/** What waits for each hook. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index webhook_deliveries_waiting on webhook_deliveries (webhook_id) where state = 'waiting'`)
}
