import type { Knex } from 'knex'

/** One row, written by the host whose start was the first on this database. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('first_runs', (table) => {
    table.boolean('is_only').primary().defaultTo(true)
    table.timestamp('at', { useTz: true }).notNullable().defaultTo(knex.fn.now())
    table.check('is_only')
  })
}
