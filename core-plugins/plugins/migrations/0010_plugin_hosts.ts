import type { Knex } from 'knex'

/** What hosts tell of themselves, and an end to what one host's passing fault did to all. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_hosts', (table) => {
    // Of `failures` nothing is read any more: hosts of the version before still write it.
    table.text('version')
    table.jsonb('plugins').notNullable().defaultTo('[]')
    table.jsonb('faults').notNullable().defaultTo('[]')
    table.bigInteger('heap_used')
    table.bigInteger('heap_total')
    table.bigInteger('rss')
  })
  await mend(knex)
}

/**
 * A full disk, a swept folder or a killed process made healthy plugins `broken` on every host. They are tried again: one whose package is
 * really damaged is found out by its hash as soon as a host loads it.
 */
async function mend(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { id: number }[] }>(
    `select id from plugins where status = 'broken' and not removing and (
       reason like 'A package cannot be unpacked: %' or
       reason like 'The package is refused: opening it takes more than % ms' or
       reason like 'The files of % are not what was installed' or
       reason ~ '^E[A-Z0-9]+: ')
     for update`,
  )
  if (rows.length === 0) return
  await knex.raw('update plugin_desired_state set generation = generation + 1')
  await knex.raw(
    `update plugins set status = 'enabled', reason = null, epoch = epoch + 1, updated_at = now(),
            generation = (select generation from plugin_desired_state)
      where id = any(?)`,
    [rows.map(({ id }) => id)],
  )
}
