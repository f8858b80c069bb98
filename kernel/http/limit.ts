import { RateLimitedError } from '../errors.ts'
import type { RateLimiter } from '../data/rate-limiter.ts'
import { ipLimitKey } from './ip.ts'
import type { RequestContext } from './request-context.ts'
import type { RateLimit, Route } from './route.ts'

/** Counts a request against its route's limit; tells how it stands in the headers and throws when it is used up. */
export async function demandLimit(
  ctx: RequestContext,
  plugin: string,
  limit: NonNullable<Route['limit']>,
  limiter: RateLimiter,
): Promise<void> {
  const {
    policy,
    requests,
    seconds,
    by,
    error = RateLimitedError,
  } = typeof limit === 'function' ? await limit() : limit
  const { allowed, remaining, resetSeconds } = await limiter.hit(
    `${plugin}:${policy}:${limitKey(ctx, by)}`,
    requests,
    seconds,
  )
  const wait = Math.max(1, Math.ceil(resetSeconds))
  ctx.pipelineHeaders['ratelimit-policy'] = `"${policy}";q=${requests};w=${seconds}`
  ctx.pipelineHeaders['ratelimit'] = `"${policy}";r=${remaining};t=${wait}`
  if (!allowed) throw new error({ headers: { 'retry-after': String(wait) }, details: { retry_after: wait } })
}

/** Who is counted: without a caller it is the address. */
function limitKey({ state: { principal, ip } }: RequestContext, by: RateLimit['by']): string {
  if (by === 'ip' || !principal) return `ip:${ipLimitKey(ip)}`
  if (by === 'user') return `user:${principal.tenantId}:${principal.userId}`
  return `key:${principal.sessionId}`
}
