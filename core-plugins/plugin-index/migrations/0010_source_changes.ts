import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host reads the sources there are. Of old this was a part of a migration of `plugins`, which goes on without it. */
export async function up(knex: Knex): Promise<void> {
  const noted: unknown = await knex('pg_trigger')
    .whereRaw(`tgrelid = 'plugin_sources'::regclass`)
    .whereLike('tgname', 'note\\_plugin\\_sources\\_%')
    .first('tgname')
  if (noted) return
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
