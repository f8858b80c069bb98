import { RateLimitedError } from '../errors.ts'
import type { RateLimiter } from '../data/rate-limiter.ts'
import type { Principal } from '../identity.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { ipLimitKey } from './ip.ts'
import type { RequestContext } from './request-context.ts'
import type { RateLimit, Route } from './route.ts'

/** How a caller stands against a limit once its request was counted. */
interface LimitStanding {
  /** What the answer says of it. */
  readonly headers: AnswerHeaders
  /** What to throw when it was used up already. */
  readonly refusal: Error | undefined
}

/** Who is counted: without a caller it is the address. */
interface Counted {
  readonly principal: Principal | undefined
  readonly ip: string
}

/** Counts a request against its route's limit; tells how it stands in the headers and throws when it is used up. */
export async function demandLimit(
  ctx: RequestContext,
  plugin: string,
  limit: NonNullable<Route['limit']>,
  limiter: RateLimiter,
): Promise<void> {
  const { headers, refusal } = await countRequest(ctx.state, plugin, limit, limiter)
  Object.assign(ctx.pipelineHeaders, headers)
  if (refusal) throw refusal
}

/** Counts a request, unless the limit is used up: what is refused is not counted. */
export async function countRequest(
  who: Counted,
  plugin: string,
  limit: NonNullable<Route['limit']>,
  limiter: RateLimiter,
): Promise<LimitStanding> {
  const {
    policy,
    requests,
    seconds,
    by,
    error = RateLimitedError,
  } = typeof limit === 'function' ? await limit() : limit
  const { allowed, remaining, resetSeconds } = await limiter.hit(
    `${plugin}:${policy}:${limitKey(who, by)}`,
    requests,
    seconds,
  )
  const wait = Math.max(1, Math.ceil(resetSeconds))
  const headers = {
    'ratelimit-policy': `"${policy}";q=${requests};w=${seconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${wait}`,
  }
  if (allowed) return { headers, refusal: undefined }
  return {
    headers,
    refusal: new error({ headers: { 'retry-after': String(wait) }, details: { retry_after: wait } }),
  }
}

function limitKey({ principal, ip }: Counted, by: RateLimit['by']): string {
  if (by === 'ip' || !principal) return `ip:${ipLimitKey(ip)}`
  if (by === 'user') return `user:${principal.tenantId}:${principal.userId}`
  return `key:${principal.sessionId}`
}
