import type { Knex } from 'knex'

/** The capabilities that administrators took back; they stay taken back whatever release is active. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugins', (table) => {
    table.jsonb('withheld').notNullable().defaultTo('[]')
  })
}
