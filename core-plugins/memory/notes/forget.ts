import type { Knex } from 'knex'
import { MemoryRow } from '../tables.ts'
import type { Owner } from './owner.ts'

/**
 * Forgets memories of a user, whose row is locked, with those that they took the place of: their texts go, and what is left, with the messages that said
 * so, keeps them from being learnt again. Answers how many of those named were there.
 */
export async function forget(
  { tenantId, userId }: Owner,
  ids: readonly string[],
  trx: Knex.Transaction,
): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = (await trx
    .raw(
      `with recursive gone as (
         select id, supersedes, true as named from ai_memories
          where tenant_id = ? and user_id = ? and deleted_at is null and id = any(?)
         union
         select older.id, older.supersedes, false from ai_memories older join gone on older.id = gone.supersedes
          where older.tenant_id = ? and older.user_id = ? and older.deleted_at is null)
       select id, bool_or(named) as named from gone group by id`,
      [tenantId, userId, [...ids], tenantId, userId],
    )
    .queryContext({ tenant: tenantId })) as { rows: { id: string; named: boolean }[] }
  const now = new Date()
  await MemoryRow.of(tenantId, trx)
    .where({ user_id: userId })
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .patch({ deletedAt: now, updatedAt: now, text: '' })
  return rows.filter(({ named }) => named).length
}
