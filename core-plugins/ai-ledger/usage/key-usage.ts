import type { Knex } from 'knex'

/** What a key used lately. */
export interface KeyUsage {
  readonly requests: number
  readonly cost: bigint
}

/** What keys used in the last 30 days, today included; keys that were not used are absent. */
export async function usageOfKeys(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, KeyUsage>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db
    .raw<{ rows: { key_id: string; requests: string; cost: string }[] }>(
      `select key_id, sum(requests)::text as requests, sum(cost_nano)::text as cost from ai_usage_days
        where key_id = any (?) and slot >= date_trunc('day', now(), 'UTC') - interval '29 days' group by key_id`,
      [[...ids]],
    )
    .queryContext({ tenant: 'all' })
  return new Map(rows.map(({ key_id: id, requests, cost }) => [id, { requests: Number(requests), cost: BigInt(cost) }]))
}
