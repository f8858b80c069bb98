import type { Knex } from 'knex'
import { PluginNotFoundError } from './errors.ts'
import { AssignmentRow, PluginRow } from './models.ts'

/** A plugin by its id or its name; throws 404/4046 when it is not installed. */
export async function getPlugin(db: Knex, idOrName: string): Promise<PluginRow> {
  const plugin = await findPlugin(db, idOrName)
  if (!plugin) throw new PluginNotFoundError()
  return plugin
}

/** A plugin by its id or its name, or undefined. */
export async function findPlugin(db: Knex, idOrName: string): Promise<PluginRow | undefined> {
  const query = PluginRow.with(db)
  // No name is a number, and no number beyond a column's range is an id.
  if (!/^\d+$/.test(idOrName)) return query.findOne({ name: idOrName })
  return idOrName.length > 9 ? undefined : query.findById(Number(idOrName))
}

/** What a tenant was given of a plugin, nothing of a platform's; throws 404/4046 for a plugin that the tenant may not use. */
export async function getAssignment(db: Knex, plugin: PluginRow, tenantId: number): Promise<AssignmentRow | undefined> {
  if (plugin.removing) throw new PluginNotFoundError()
  if (plugin.scope === 'platform') return undefined
  const row = await AssignmentRow.of(tenantId, db).findOne({ plugin_id: plugin.id, assigned: true })
  if (!row) throw new PluginNotFoundError()
  return row
}
