import type { Knex } from 'knex'
import { McpServerRow } from './tables.ts'

/** Deletes the servers of a tenant that is no more, with their secrets and tools. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await McpServerRow.of(tenantId, db).delete()
}
