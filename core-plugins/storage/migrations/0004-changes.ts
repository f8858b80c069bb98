import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host keeps places open. */
export async function up(db: Knex): Promise<void> {
  await noteChanges(db, {
    table: 'storage_volumes',
    kind: 'storage.volumes',
    subject: 'changed.id',
    columns: ['id', 'config', 'base_url'],
    on: ['update', 'delete'],
  })
}
