import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host runs what is wanted, and gives the permissions that follow from it. */
export async function up(knex: Knex): Promise<void> {
  const wanted = { table: 'plugin_desired_state', columns: ['generation'], on: ['update'] as const }
  await noteChanges(knex, { ...wanted, kind: 'plugins.wanted', subject: 'changed.generation' })
  await noteChanges(knex, { ...wanted, kind: 'access.grants', subject: `'all'` })
}
