import type { Knex } from 'knex'

/** Uploads that go on where they ended. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('attachment_uploads', (table) => {
    table.bigInteger('received').notNullable().defaultTo(0)
    table.specificType('pieces', 'text[]').notNullable().defaultTo('{}')
    table.boolean('is_deferred').notNullable().defaultTo(false)
    table.text('metadata')
  })
}
