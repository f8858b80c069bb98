import type { Knex } from 'knex'
import type { Owner } from './notes/owner.ts'
import { MemoryRow, MemoryStateRow, MemoryUserRow } from './tables.ts'

/** Deletes what is remembered of the users of a tenant that is no more. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await MemoryRow.of(tenantId, db).delete()
  await MemoryStateRow.of(tenantId, db).delete()
  await MemoryUserRow.of(tenantId, db).delete()
}

/** Deletes what is remembered of a user who is no more. */
export async function forgetUser(db: Knex, { tenantId, userId }: Owner): Promise<void> {
  const own = { user_id: userId }
  await MemoryRow.of(tenantId, db).delete().where(own)
  await MemoryStateRow.of(tenantId, db).delete().where(own)
  await MemoryUserRow.of(tenantId, db).delete().where(own)
}
