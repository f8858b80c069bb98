import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { AttemptRow, Purpose, Spender } from '../contract.ts'
import { QuotaRow, quotaOf } from '../quotas/quota-model.ts'
import { usedOf } from './claims.ts'
import { everybody } from './everybody.ts'
import type { HoldStore, SettledBucket, Settlement } from './hold-store.ts'
import type { Journal } from './journal.ts'
import type { LeaseStore } from './lease-store.ts'

const batch = 200
/** A host that was not heard of for so long is gone, or as good as. */
const lostAfterSeconds = 20

/** A request that its host has left behind. */
interface Orphan {
  readonly request_id: string
  readonly tenant_id: number
  readonly at: Date
  readonly user_id: number | null
  readonly key_id: string | null
  readonly agent_id: string | null
  readonly conversation_id: string | null
  readonly purpose: Purpose
  readonly model_id: string
  readonly provider_id: string
  readonly model: string
  readonly model_version: number
  /** Bigints, which PostgreSQL hands over as text. */
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost_nano: string
  readonly input_cost_nano: string
  /** Null of a call that an older host let in. */
  readonly list_cost_nano: string | null
  readonly input_list_cost_nano: string | null
  readonly progress: string
  readonly tool_calls: number
  readonly tags: readonly string[]
}

/** What the sweeper works with. */
interface SweeperParts {
  readonly db: Knex
  readonly store: Pick<HoldStore, 'settle'>
  readonly leases: Pick<LeaseStore, 'closeLost'>
  readonly journal: Pick<Journal, 'steadyMs'>
  readonly settled: (buckets: readonly SettledBucket[]) => void
}

/**
 * Settles what hosts that died left behind: at the output that was written down, otherwise at the input. Nothing is let go for free and
 * nothing stays held. Of several hosts that do it at once each request is settled by one.
 */
export async function sweepHolds({ db, store, leases, journal, settled }: SweeperParts): Promise<number> {
  // After an outage nobody was heard of: this host has to know that the others could have told.
  if (journal.steadyMs < lostAfterSeconds * 1000) return 0
  settled(await leases.closeLost(lostAfterSeconds))
  const orphans = await findOrphans(db)
  if (orphans.length === 0) return 0
  settled(await store.settle(await settlementsOf(db, orphans)))
  return orphans.length
}

async function findOrphans(db: Knex): Promise<readonly Orphan[]> {
  const { rows } = await db
    .raw<{ rows: Orphan[] }>(
      `select h.* from ai_holds h left join ai_hold_hosts l on l.host_id = h.host_id and l.seen_at > now() - ? * interval '1 second'
        where l.host_id is null or h.expires_at < now() order by h.expires_at limit ?`,
      [lostAfterSeconds, batch],
    )
    .queryContext(everybody)
  return rows
}

async function settlementsOf(db: Knex, orphans: readonly Orphan[]): Promise<readonly Settlement[]> {
  const held = await db('ai_quota_holds')
    .queryContext(everybody)
    .whereIn(
      'request_id',
      orphans.map(({ request_id: id }) => id),
    )
    .select<readonly { request_id: string; quota_id: string; bucket: string }[]>('request_id', 'quota_id', 'bucket')
  const ids = [...new Set(held.map(({ quota_id: id }) => id))]
  const quotas = new Map((await QuotaRow.acrossTenants(db).findByIds(ids)).map((row) => [row.id, quotaOf(row)]))
  const byRequest = Map.groupBy(held, ({ request_id: id }) => id)
  return orphans.map((orphan) => {
    const spender = spenderOf(orphan)
    const attempts = [recoveredOf(orphan)]
    const used = (byRequest.get(orphan.request_id) ?? []).flatMap(({ quota_id: id, bucket }) => {
      const quota = quotas.get(id)
      if (!quota) return []
      const claim = { quota, bucket, windowStart: orphan.at, resetsAt: undefined, amount: 0n }
      return [{ quota: id, bucket, used: usedOf(claim, spender, attempts) }]
    })
    const wish = { requestId: orphan.request_id, spender, purpose: orphan.purpose }
    return { wish, at: orphan.at, attempts, used }
  })
}

function spenderOf({ tenant_id, user_id, key_id, agent_id, conversation_id, tags }: Orphan): Spender {
  return {
    tenantId: tenant_id,
    ...(user_id !== null && { userId: user_id }),
    ...(key_id !== null && { keyId: key_id }),
    ...(agent_id !== null && { agentId: agent_id }),
    ...(conversation_id !== null && { conversationId: conversation_id }),
    tags,
  }
}

/** What a request is charged whose end nobody saw: its input, and the part of the rest that its output makes up. */
function recoveredOf(orphan: Orphan): AttemptRow {
  const [made, outputMost] = [BigInt(orphan.progress), BigInt(orphan.output_tokens)]
  const output = outputMost === 0n ? 0n : made < outputMost ? made : outputMost
  const costOf = (most: bigint, input: bigint): bigint =>
    outputMost === 0n ? input : input + ((most - input) * output + outputMost - 1n) / outputMost
  const { cost_nano: most, input_cost_nano: input } = orphan
  const costNano = costOf(BigInt(most), BigInt(input))
  const listCostNano = costOf(BigInt(orphan.list_cost_nano ?? most), BigInt(orphan.input_list_cost_nano ?? input))
  return {
    ...{ id: randomUUID(), attempt: 1, at: orphan.at, modelId: orphan.model_id, model: orphan.model },
    ...{ modelVersion: orphan.model_version, providerId: orphan.provider_id },
    usage: {
      ...{ inputTokens: Number(orphan.input_tokens), cachedInputTokens: 0, cacheWriteTokens: 0 },
      ...{ outputTokens: Number(output), reasoningTokens: 0 },
    },
    ...{ costNano, listCostNano, possibleCostNano: 0n, source: 'recovered', outcome: 'truncated' },
    ...{ durationMs: Math.max(0, Date.now() - orphan.at.getTime()), stream: false },
    ...(orphan.tool_calls > 0 && { toolCalls: orphan.tool_calls }),
  }
}
