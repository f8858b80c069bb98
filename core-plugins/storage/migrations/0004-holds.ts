import type { Knex } from 'knex'

/** While a hold lasts no bytes are deleted: a backup copies them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('storage_holds', (table) => {
    table.uuid('id').primary()
    // A holder that died lets go by itself.
    table.timestamp('until').notNullable()
  })
}
