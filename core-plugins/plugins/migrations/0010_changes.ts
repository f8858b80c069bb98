import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host runs what is wanted, gives the permissions that follow from it, and reads the sources there are. */
export async function up(knex: Knex): Promise<void> {
  const wanted = { table: 'plugin_desired_state', columns: ['generation'], on: ['update'] as const }
  await noteChanges(knex, { ...wanted, kind: 'plugins.wanted', subject: 'changed.generation' })
  await noteChanges(knex, { ...wanted, kind: 'access.grants', subject: `'all'` })
  await noteChanges(knex, {
    table: 'plugin_sources',
    kind: 'plugins.sources',
    subject: 'changed.id',
    columns: [
      ...['id', 'name', 'url', 'priority', 'enabled', 'headers', 'min_trust', 'max_trust', 'allow', 'deny'],
      ...['download_hosts', 'unsigned', 'root_fingerprint', 'sequence'],
    ],
  })
}
