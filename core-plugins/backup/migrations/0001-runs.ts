import type { Knex } from 'knex'

/** Backups that hosts made, make, or failed to make. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('backup_runs', (table) => {
    table.increments('id')
    // A time of the schedule belongs to the host that writes it down first.
    table.timestamp('slot').unique()
    table.text('state').notNullable()
    table.integer('started_by')
    table.text('target').notNullable()
    table.timestamp('started_at').notNullable().defaultTo(db.fn.now())
    // A host that stops telling has died over it.
    table.timestamp('seen_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('finished_at')
    table.text('backup')
    table.bigInteger('rows')
    table.bigInteger('files')
    table.bigInteger('bytes')
    table.bigInteger('sent_files')
    table.text('error')
  })
  // One at a time, on whichever host.
  await db.raw(`create unique index backup_runs_one on backup_runs ((true)) where state = 'running'`)
}
