import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host tidies what an operation left there when it has ended. */
export function up(knex: Knex): Promise<void> {
  return noteChanges(knex, {
    table: 'plugin_operations',
    kind: 'plugins.operations',
    subject: 'changed.plugin',
    columns: ['id', 'plugin', 'state'],
    on: ['update'],
  })
}
