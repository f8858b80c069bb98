import type { Refusal } from '../contract.ts'
import type { Quota } from '../quotas/quota.ts'
import { showAmount } from '../quotas/show-amount.ts'
import { isRate } from '../windows/span.ts'
import type { Claim } from './claims.ts'

/** A claim and what its bucket has left. */
export interface TriedClaim {
  readonly claim: Claim
  readonly remaining: bigint
}

/** Why a call is refused: the tightest of the quotas that it does not fit in is named, and the room is what all of them leave. */
export function refusalOf(full: readonly TriedClaim[]): Refusal {
  const tightest = full.reduce((one, other) => (ratioOf(other) < ratioOf(one) ? other : one))
  const { quota, resetsAt } = tightest.claim
  return {
    ...{ quotaId: quota.id, quotaName: quota.name, metric: quota.metric, limit: showAmount(quota.metric, quota.limit) },
    ...{ remaining: showAmount(quota.metric, tightest.remaining), resetsAt, onExceed: quota.onExceed },
    ...{ room: roomOf(full), kind: kindOf(quota) },
  }
}

/** A call to a model without a price, under a quota of cost. */
export function priceMissing(quota: Quota): Refusal {
  const limit = showAmount(quota.metric, quota.limit)
  return {
    ...{ quotaId: quota.id, quotaName: quota.name, metric: quota.metric, limit, remaining: limit },
    ...{ resetsAt: undefined, onExceed: { action: 'reject' }, room: {}, kind: 'price_missing' },
  }
}

function ratioOf({ claim, remaining }: TriedClaim): number {
  return Number(remaining) / Number(claim.amount)
}

function roomOf(full: readonly TriedClaim[]): Refusal['room'] {
  const least = (metric: string): bigint | undefined =>
    full
      .filter(({ claim }) => claim.quota.metric === metric)
      .map(({ remaining }) => remaining)
      .reduce<bigint | undefined>((one, other) => (one === undefined || other < one ? other : one), undefined)
  const [outputTokens, tokens, costNano] = [least('output_tokens'), least('tokens'), least('cost')]
  return {
    ...(outputTokens !== undefined && { outputTokens: Number(outputTokens) }),
    ...(tokens !== undefined && { tokens: Number(tokens) }),
    ...(costNano !== undefined && { costNano }),
  }
}

function kindOf({ metric, span }: Quota): Refusal['kind'] {
  if (metric === 'cost') return 'budget'
  if (metric === 'concurrency') return 'concurrency'
  return isRate(metric, span) ? 'rate' : 'quota'
}
