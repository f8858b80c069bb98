import { allowTime } from '#kernel'
import { pluginHash8 } from '#sandbox'
import type { Knex } from 'knex'
import { AssignmentRow, PluginRow } from '../shared/models.ts'
import type { TenantNeeds } from './needs.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'

/** Takes every plugin from a tenant that is gone, and deletes what waits for it and what plugins keep of it. */
export async function eraseTenant(parts: TenantNeeds, tenantId: number): Promise<void> {
  const { db, operations, rows } = parts
  const assigned = await AssignmentRow.of(tenantId, db).orderBy('plugin_id')
  let generation: number | undefined
  // One plugin at a time: who held several would wait for an operation that waits for them.
  for (const { pluginId } of assigned) generation = await db.transaction((trx) => unassign(trx, pluginId, tenantId))
  // From here on nobody writes for the tenant any more.
  if (generation !== undefined) await settle(parts, generation, operations.signal)
  for (const kept of rows.all) await kept.eraseTenant(tenantId)
  for (const { name } of await PluginRow.with(db)) await deleteRows(db, name, tenantId)
}

async function unassign(trx: Knex.Transaction, pluginId: number, tenantId: number): Promise<number> {
  const generation = await wantPlugin(trx, pluginId, {})
  await AssignmentRow.of(tenantId, trx).delete().where({ plugin_id: pluginId })
  return generation
}

/** Empties all tables of a plugin in one statement, at whose end their references to each other are checked. */
async function deleteRows(db: Knex, name: string, tenantId: number): Promise<void> {
  const tables = await listTenantTables(db, name)
  if (tables.length === 0) return
  const parts = tables.map((_, index) => `gone_${index} as (delete from ?? where tenant_id = ?)`)
  const bindings = tables.flatMap((table) => [table, tenantId])
  await db.transaction(async (trx) => {
    await allowTime(trx)
    await trx.raw(`with ${parts.join(', ')} select 1`, bindings).queryContext({ tenant: tenantId })
  })
}

async function listTenantTables(db: Knex, name: string): Promise<readonly string[]> {
  const rows = await db('information_schema.columns')
    .whereRaw('table_schema = current_schema()')
    .whereLike('table_name', `plg\\_${pluginHash8(name)}\\_%`)
    .where('column_name', 'tenant_id')
    .orderBy('table_name')
    .select<{ table_name: string }[]>('table_name')
  return rows.map(({ table_name: table }) => table)
}
