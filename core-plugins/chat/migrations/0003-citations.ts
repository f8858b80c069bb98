import type { Knex } from 'knex'

/** The sources that answers name. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table ai_messages add column citations text not null default '[]'`)
}
