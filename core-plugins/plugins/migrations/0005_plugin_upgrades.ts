import type { Knex } from 'knex'

/** What upgrades are held to: the text of applied migrations, the gate before a breaking schema, and the watch over a new release. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_migrations', (table) => {
    // SHA-256 of the up file; null where it was applied before this was kept, and then it is not compared.
    table.text('hash')
  })
  await knex.schema.alterTable('plugins', (table) => {
    // Why its routes answer 503 for the moment on every host: `upgrading`; null while they are open.
    table.text('gate')
  })
  await knex.schema.createTable('plugin_watches', (table) => {
    table.integer('plugin_id').primary().references('plugins.id').onDelete('CASCADE')
    table.uuid('operation_id').notNullable()
    table.integer('from_release').notNullable()
    table.integer('to_release').notNullable()
    table.timestamp('until').notNullable()
    // Calls that said something of the release, on all hosts together.
    table.integer('calls').notNullable().defaultTo(0)
    table.integer('errors').notNullable().defaultTo(0)
    table.integer('kills').notNullable().defaultTo(0)
    // Why the release is given up; null while it does well.
    table.text('reason')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
  })
}
