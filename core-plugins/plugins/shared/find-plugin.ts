import type { Knex } from 'knex'
import { PluginNotFoundError } from './errors.ts'
import { PluginRow } from './models.ts'

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
