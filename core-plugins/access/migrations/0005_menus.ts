import type { Knex } from 'knex'

// What the platform arranged otherwise than it was declared; a null says nothing.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('access_menus', (table) => {
    table.text('name').primary()
    table.boolean('hidden')
    table.integer('sort')
    table.text('title')
    table.boolean('moved').notNullable().defaultTo(false)
    table.text('parent')
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
  })
}
