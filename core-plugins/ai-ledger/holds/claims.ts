import type { AttemptRow, Candidate, HoldWish, Spender } from '../contract.ts'
import type { Metric, Quota } from '../quotas/quota.ts'
import { windowAt } from '../windows/window-at.ts'

/** What a call wants of one bucket of a quota. */
export interface Claim {
  readonly quota: Quota
  readonly bucket: string
  readonly windowStart: Date
  readonly resetsAt: Date | undefined
  readonly amount: bigint
}

/** Which model answers where. */
type Answerer = Pick<Candidate, 'modelId' | 'providerId'>

/** What a call wants of each quota that applies to it, in the order in which buckets are locked. */
export function claimsOf(wish: HoldWish, quotas: readonly Quota[], at: Date): readonly Claim[] {
  const claims = quotas.flatMap((quota) => {
    const amount = amountOf(quota, wish)
    if (amount === 0n) return []
    const buckets = wish.models.flatMap((model) => bucketOf(quota, wish.spender, model) ?? [])
    const { from, to } = windowAt(quota.span, at)
    return [...new Set(buckets)].map((bucket) => ({ quota, bucket, windowStart: from, resetsAt: to, amount }))
  })
  return claims.sort((one, other) => compare(one.quota.id, other.quota.id) || compare(one.bucket, other.bucket))
}

/** A quota of cost that cannot be kept, because nobody knows what a model costs. */
export function unpricedOf({ models, spender }: HoldWish, quotas: readonly Quota[]): Quota | undefined {
  return quotas.find(
    (quota) =>
      quota.metric === 'cost' &&
      quota.mode === 'hard' &&
      models.some((model) => !model.priced && bucketOf(quota, spender, model) !== undefined),
  )
}

/** The bucket of a quota that a call counts in; undefined where the quota is not for it. */
function bucketOf(quota: Quota, spender: Spender, { modelId, providerId }: Answerer): string | undefined {
  const { scope, per } = quota
  const { tenantId, userId, keyId, agentId } = spender
  const isFor =
    (quota.tenantId === 0 || quota.tenantId === tenantId) &&
    (scope.userId === null || scope.userId === userId) &&
    (scope.keyId === null || scope.keyId === keyId) &&
    (scope.agentId === null || scope.agentId === agentId) &&
    (scope.modelId === null || scope.modelId === modelId) &&
    (scope.providerId === null || scope.providerId === providerId)
  if (!isFor) return undefined
  const values = {
    tenant: tenantId,
    user: userId === undefined ? undefined : isPlatforms(quota) ? `${tenantId}.${userId}` : userId,
    ...{ key: keyId, agent: agentId, model: modelId, provider: providerId },
  }
  return per.map((share) => `${share}:${values[share] ?? '-'}`).join(',')
}

/** What a request used of a claim: by those of its attempts that count in the bucket. */
export function usedOf({ quota, bucket }: Claim, spender: Spender, attempts: readonly AttemptRow[]): bigint {
  const counted = attempts.filter((attempt) => bucketOf(quota, spender, attempt) === bucket)
  const sum = (amount: (attempt: AttemptRow) => number): bigint =>
    BigInt(counted.reduce((total, attempt) => total + amount(attempt), 0))
  switch (quota.metric) {
    case 'requests':
      return counted.some(({ outcome }) => outcome !== 'upstream_error' && outcome !== 'denied') ? 1n : 0n
    case 'input_tokens':
      return sum(({ usage }) => usage.inputTokens)
    case 'output_tokens':
      return sum(({ usage }) => usage.outputTokens)
    case 'tokens':
      return sum(({ usage }) => usage.inputTokens + usage.outputTokens)
    case 'cost':
      return counted.reduce((total, { costNano }) => total + costNano, 0n)
    case 'tool_calls':
      return sum(({ toolCalls = 0 }) => toolCalls)
    case 'tool_cpu_ms':
      return sum(({ toolCpuMs = 0 }) => toolCpuMs)
    case 'sandbox_ms':
      return sum(({ sandboxMs = 0 }) => sandboxMs)
    case 'concurrency':
      return 0n
  }
}

function amountOf({ metric, estimate }: Quota, { worst, estimated }: HoldWish): bigint {
  return wantedOf(metric, estimate === 'estimate' ? { ...worst, ...estimated } : worst)
}

function wantedOf(metric: Metric, worst: HoldWish['worst']): bigint {
  switch (metric) {
    case 'requests':
      return BigInt(worst.requests)
    case 'input_tokens':
      return BigInt(worst.inputTokens)
    case 'output_tokens':
      return BigInt(worst.outputTokens)
    case 'tokens':
      return BigInt(worst.inputTokens + worst.outputTokens)
    case 'cost':
      return worst.costNano
    case 'tool_calls':
      return BigInt(worst.toolCalls ?? 0)
    case 'tool_cpu_ms':
      return BigInt(worst.toolCpuMs ?? 0)
    case 'sandbox_ms':
      return BigInt(worst.sandboxMs ?? 0)
    case 'concurrency':
      // Of calls of models: a tool is called between them.
      return worst.requests > 0 ? 1n : 0n
  }
}

/** Users of different tenants have the same numbers. */
function isPlatforms({ tenantId }: Quota): boolean {
  return tenantId === 0
}

/** By their bytes, as the columns are. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
