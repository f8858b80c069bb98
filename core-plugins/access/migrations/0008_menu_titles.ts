import type { Knex } from 'knex'

/** What an entry of the navigation is called in some languages; where it says nothing of one, `title` does. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('access_menus', (table) => {
    table.jsonb('titles')
  })
}
