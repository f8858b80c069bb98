import type { Knex } from 'knex'

/** What reasons are told from, so that each reader has them in the own language. */
export async function up(knex: Knex): Promise<void> {
  for (const name of ['plugins', 'plugin_watches']) {
    await knex.schema.alterTable(name, (table) => {
      table.jsonb('reason_said')
    })
  }
}
