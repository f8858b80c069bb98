import type { Knex } from 'knex'

/** Addresses of web hooks hold secrets: they are sealed, and what is shown of them stands beside. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table ai_usage_reports add column webhook text, add column webhook_hint text')
}
