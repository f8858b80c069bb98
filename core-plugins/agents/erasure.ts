import type { Knex } from 'knex'
import { AgentRow, AgentUseRow } from './tables.ts'

/** Deletes the agents of a tenant that is no more, with all that hangs on them. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await AgentRow.of(tenantId, db).delete()
}

/** Deletes what is kept of a user who is no more. */
export async function forgetUser(db: Knex, tenantId: number, userId: number): Promise<void> {
  await AgentUseRow.of(tenantId, db).delete().where({ user_id: userId })
}
