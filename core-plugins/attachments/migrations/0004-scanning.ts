import type { Knex } from 'knex'

/** Files that wait for a virus scanner, and bytes that it found infected, whose ever they are. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('attachment_infected_hashes', (table) => {
    table.text('hash').primary()
    table.text('signature').notNullable()
    table.timestamp('found_at').notNullable().defaultTo(db.fn.now())
  })
  await db.raw(`create index attachments_pending on attachments (created_at) where status = 'pending'`)
  await db.raw(`create index attachments_hash on attachments (hash)`)
}
