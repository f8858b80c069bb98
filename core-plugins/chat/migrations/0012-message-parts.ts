import type { Knex } from 'knex'

/** What messages are made of, where that is more than their text. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table ai_messages add column parts text not null default '[]'`)
}
