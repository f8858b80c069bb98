import type { Knex } from 'knex'
import { codeOf } from '#kernel'
import type { AttemptRow, HoldWish } from '../contract.ts'
import { usageRow } from './usage-row.ts'
import type { Claim } from './claims.ts'
import { everybody } from './everybody.ts'

/** A soft quota has room for everything. */
const endless = 2n ** 62n

/** How a bucket stood when a hold was taken, or was not. */
interface Standing {
  readonly used: bigint
  readonly held: bigint
}

/** What became of a try; of claims that came from a lease nothing is known. */
interface Reserved {
  readonly isHeld: boolean
  /** Whether a host has a lease of what was too full. */
  readonly isLeased: boolean
  readonly standings: readonly (Standing | undefined)[]
}

/** A bucket after a settlement. */
export interface SettledBucket {
  readonly quota_id: string
  readonly bucket: string
  readonly window_start: Date
  /** Bigints, which PostgreSQL hands over as text. */
  readonly used: string
  readonly held: string
}

/** What ends a request's holds. */
export interface Settlement {
  readonly wish: Pick<HoldWish, 'requestId' | 'spender' | 'purpose'>
  readonly at: Date
  readonly attempts: readonly AttemptRow[]
  readonly used: readonly UsedBucket[]
}

/** What a request used of a bucket. */
interface UsedBucket {
  readonly quota: string
  readonly bucket: string
  readonly used: bigint
  /** Whose bucket of when it is, for a hold that the database lost. */
  readonly owner?: number
  readonly starts?: Date
}

/** A claim and the host's lease it is taken from, if any. */
export interface LeasedClaim extends Claim {
  readonly leaseId?: string | undefined
}

/** The lease that a hold was to come from is not there any more. */
export class LeaseLostError extends Error {}

/** Takes and settles holds in the database. */
export class HoldStore {
  readonly #db: Knex
  readonly #hostId: string

  constructor(db: Knex, hostId: string) {
    this.#db = db
    this.#hostId = hostId
  }

  /** Holds all claims or none, in one round trip, and writes the request down for a host that dies. */
  async reserve(wish: HoldWish, at: Date, claims: readonly LeasedClaim[]): Promise<Reserved> {
    const list = <T>(value: (claim: LeasedClaim) => T): T[] => claims.map(value)
    try {
      const { rows } = await this.#db
        .raw<{
          rows: [{ is_held: boolean; used: (string | null)[]; held: (string | null)[]; leased: boolean | null }]
        }>(
          'select * from ai_reserve(?, ?, ?::text[], ?::text[], ?::timestamptz[], ?::bigint[], ?::bigint[], ?::int[], ?::uuid[])',
          [
            ...[wish.requestId, JSON.stringify(journalOf(wish, at, this.#hostId))],
            ...[list(({ quota }) => quota.id), list(({ bucket }) => bucket)],
            list(({ windowStart }) => windowStart.toISOString()),
            ...[list(({ amount }) => String(amount)), list(({ quota }) => String(limitOf(quota)))],
            ...[list(({ quota }) => quota.tenantId), list(({ leaseId = null }) => leaseId) as string[]],
          ],
        )
        .queryContext(everybody)
      const [{ is_held: isHeld, used, held, leased }] = rows
      const standings = claims.map((_, at) => standingOf(used?.[at], held?.[at]))
      return { isHeld, standings, isLeased: leased === true }
    } catch (error) {
      if (codeOf(error) === 'AI410') throw new LeaseLostError()
      throw error
    }
  }

  /** Ends requests, each exactly once however often it is asked; answers the buckets that changed. */
  async settle(settlements: readonly Settlement[]): Promise<readonly SettledBucket[]> {
    const { rows } = await this.#db
      .raw<{ rows: SettledBucket[] }>('select * from ai_settle(?)', [JSON.stringify(settlements.map(settlementOf))])
      .queryContext(everybody)
    return rows
  }
}

/** What a bucket of a quota has room for. */
export function limitOf({ mode, limit }: Claim['quota']): bigint {
  return mode === 'soft' ? endless : limit
}

function standingOf(used: string | null | undefined, held: string | null | undefined): Standing | undefined {
  return used == null || held == null ? undefined : { used: BigInt(used), held: BigInt(held) }
}

function settlementOf({ wish, at, attempts, used }: Settlement) {
  return {
    request: wish.requestId,
    at,
    rows: attempts.map((attempt) => usageRow(wish, at, attempt)),
    used: used.map((each) => ({ ...each, used: String(each.used) })),
  }
}

function journalOf({ spender, purpose, models, worst, ttlMs, ...wish }: HoldWish, at: Date, hostId: string) {
  const [first] = models
  const { inputCostNano = worst.costNano } = wish
  const { list = { costNano: worst.costNano, inputCostNano } } = wish
  return {
    ...{ tenant_id: spender.tenantId, host_id: hostId, at, ttl_ms: ttlMs, user_id: spender.userId },
    ...{ key_id: spender.keyId, agent_id: spender.agentId, conversation_id: spender.conversationId, purpose },
    ...{ model_id: first?.modelId ?? '', provider_id: first?.providerId ?? '' },
    ...{ model: first?.model ?? first?.modelId ?? '', model_version: first?.modelVersion ?? 1 },
    ...{ input_tokens: worst.inputTokens, output_tokens: worst.outputTokens },
    ...{ tool_calls: worst.toolCalls ?? 0, tags: spender.tags ?? [] },
    ...{ cost_nano: String(worst.costNano), input_cost_nano: String(inputCostNano) },
    ...{ list_cost_nano: String(list.costNano), input_list_cost_nano: String(list.inputCostNano) },
  }
}
