import { createHash, timingSafeEqual } from 'node:crypto'
import { defineRoute, raw, UnauthenticatedError, type ProcessMetrics, type Route } from '#kernel'
import { printMetrics } from './print-metrics.ts'

const bearer = /^Bearer +(\S+)$/i

/**
 * The figures of this process. A scraper cannot sign in: with METRICS_TOKEN that token opens it and nothing else does,
 * without it an administrator's token. It is never open to everybody, because labels name tenants and plugins.
 */
export function metricsRoute(metrics: ProcessMetrics, token: string | undefined): Route {
  const shared = {
    method: 'get',
    path: '/metrics',
    summary: 'Read the figures of this process in the text format of Prometheus',
    answers: [{ types: ['text/plain'] }],
  } as const
  async function print(): Promise<unknown> {
    const { text, contentType } = await printMetrics(metrics.collect())
    return raw(text, contentType, { headers: { 'cache-control': 'no-store' } })
  }
  if (token === undefined) {
    return defineRoute({ ...shared, auth: 'platform', permission: 'platform_health:read', handler: print })
  }
  return defineRoute({
    ...shared,
    auth: 'none',
    errors: [4010],
    handler(ctx) {
      const given = bearer.exec(ctx.header('authorization') ?? '')?.[1]
      if (given === undefined || !isSame(given, token)) throw new UnauthenticatedError()
      return print()
    },
  })
}

/** Hashed first, so that neither the length nor the place of a difference shows in the time that it takes. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
