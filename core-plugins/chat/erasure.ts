import type { Knex } from 'knex'
import { ConversationRow } from './tables.ts'

/** Deletes the conversations of a tenant that is no more. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await ConversationRow.of(tenantId, db).delete()
}

/** Deletes the conversations of a user who is no more. */
export async function forgetUser(db: Knex, tenantId: number, userId: number): Promise<void> {
  await ConversationRow.of(tenantId, db).delete().where({ user_id: userId })
}
