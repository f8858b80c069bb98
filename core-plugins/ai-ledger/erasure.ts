import type { Knex } from 'knex'
import { takeFromPlatform } from './usage/platform-sums.ts'

/** Rows that calls under way lock too, in the order in which those lock them, and by which key. */
const locked = [
  ['ai_quota_leases', 'id'],
  ['ai_quota_holds', 'request_id, quota_id, bucket'],
  ['ai_quota_buckets', 'quota_id, bucket, window_start'],
  ['ai_holds', 'request_id'],
] as const

/** In an order in which nothing is written again behind it: what would settle or be summed goes before what it comes to. */
const tables = [
  ...(['ai_quota_holds', 'ai_holds', 'ai_quota_leases', 'ai_quota_buckets', 'ai_quota_adjustments'] as const),
  ...(['ai_quotas', 'ai_api_key_secrets', 'ai_api_keys', 'ai_usage_new', 'ai_usage'] as const),
  ...(['ai_usage_hours', 'ai_usage_days', 'ai_usage_totals', 'ai_usage_day_totals', 'ai_usage_tags'] as const),
  'ai_usage_reports',
] as const

/** Deletes every row of a tenant that is no more. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await db.transaction(async (trx) => {
    // The host that sums has ended its turn, and begins none.
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended('ai_ledger.sums', 0))`)
    await takeFromPlatform(trx, tenantId)
    for (const [table, key] of locked) {
      const lock = `select count(*) from (select 1 from ?? where tenant_id = ? order by ${key} for update) as locked`
      await trx.raw(lock, [table, tenantId]).queryContext({ tenant: tenantId })
    }
    for (const table of tables) {
      await trx(table).queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
    }
  })
}

/**
 * Of a user who is no more the keys go, and the quotas that were the user's alone rest. The ledger keeps the number, which nobody is
 * behind any more, so that its sums stay true; what led to conversations goes.
 */
export async function eraseUser(db: Knex, tenantId: number, userId: number): Promise<void> {
  const own = { tenant_id: tenantId, user_id: userId }
  const rows = (table: string, trx: Knex.Transaction): Knex.QueryBuilder =>
    trx(table).queryContext({ tenant: tenantId }).where(own)
  await db.transaction(async (trx) => {
    await rows('ai_api_keys', trx).delete()
    const active = rows('ai_quotas', trx).whereNot({ status: 'disabled' })
    await active.update({ status: 'disabled', version: trx.raw('version + 1') })
    await rows('ai_usage', trx).whereNotNull('conversation_id').update({ conversation_id: null })
  })
}
