import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host keeps values, and the ids of the items that they are of. */
export async function up(db: Knex): Promise<void> {
  await noteChanges(db, {
    table: 'system_config_values',
    kind: 'config.values',
    subject: 'changed.tenant_id',
    columns: ['config_id', 'tenant_id', 'value', 'updated_at'],
  })
  await noteChanges(db, {
    table: 'system_configs',
    kind: 'config.items',
    subject: `'all'`,
    columns: ['id', 'scope', 'key'],
  })
}
