import type { Knex } from 'knex'

/** What changed of what hosts keep: written by triggers in the transaction of the change, read and deleted by `ChangeFeed`. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('changes', (table) => {
    table.bigIncrements('id')
    table.text('kind').notNullable()
    table.text('subject').notNullable()
    table.specificType('xid', 'xid8').notNullable().defaultTo(knex.raw('pg_current_xact_id()')).index()
  })
}
