import type { Knex } from 'knex'
import { KnowledgeBaseRow } from './tables.ts'

/** Deletes the knowledge bases of a tenant that is no more, with all that hangs on them. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await KnowledgeBaseRow.of(tenantId, db).delete()
}
