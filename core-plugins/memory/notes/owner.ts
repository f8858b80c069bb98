import type { Knex } from 'knex'
import { MemoryRow, MemoryUserRow } from '../tables.ts'

/** Whose memories. */
export interface Owner {
  readonly tenantId: number
  readonly userId: number
}

/** Locks what is remembered of a user until the transaction ends; answers the epoch, one further where the user changes something. */
export async function lockUser(
  { tenantId, userId }: Owner,
  trx: Knex.Transaction,
  { isChange }: { readonly isChange: boolean },
): Promise<number> {
  const { rows } = (await trx
    .raw(
      `insert into ai_memory_users as locked (tenant_id, user_id, epoch) values (?, ?, ?::int)
       on conflict (tenant_id, user_id) do update set epoch = locked.epoch + ?::int returning epoch`,
      [tenantId, userId, Number(isChange), Number(isChange)],
    )
    .queryContext({ tenant: tenantId })) as { rows: { epoch: number }[] }
  return rows[0]?.epoch ?? 0
}

/** How often the user has changed something. */
export async function epochOf({ tenantId, userId }: Owner, db: Knex): Promise<number> {
  const row = await MemoryUserRow.of(tenantId, db).findOne({ user_id: userId })
  return row?.epoch ?? 0
}

/** What is remembered of a user at the moment. */
export function liveOf({ tenantId, userId }: Owner, db: Knex) {
  return MemoryRow.of(tenantId, db)
    .where({ user_id: userId })
    .whereNull('deleted_at')
    .whereNull('superseded_by')
    .where((either) => void either.whereNull('expires_at').orWhere('expires_at', '>', new Date()))
}
