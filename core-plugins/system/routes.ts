import { createHash } from 'node:crypto'
import { bare, defineRoute, raw, redirect, type ApiDocument, type Route } from '#kernel'
import type { HealthResult } from './contract.ts'

const check = {
  type: 'object',
  required: ['status', 'latency_ms'],
  properties: {
    status: { enum: ['healthy', 'unhealthy'] },
    latency_ms: { type: 'integer' },
    error: { enum: ['timeout', 'unreachable'] },
  },
} as const

const health = {
  type: 'object',
  required: ['status', 'timestamp', 'checks'],
  properties: {
    status: { enum: ['healthy', 'unhealthy'] },
    timestamp: { type: 'string' },
    checks: { type: 'object', additionalProperties: check },
  },
} as const

/** Whether the platform is well; asked often, so it is never limited. */
export function healthRoute(checkHealth: () => Promise<HealthResult>): Route {
  return defineRoute({
    method: 'get',
    path: '/api/public/health',
    summary: 'Tell whether the database and the cache answer',
    auth: 'none',
    schema: { response: health },
    errors: [5032],
    async handler() {
      const result = await checkHealth()
      return bare(result, { status: result.status === 'healthy' ? 200 : 503, headers: { 'cache-control': 'no-store' } })
    },
  })
}

/** The description of everything that is enabled. */
export function documentRoute(document: ApiDocument): Route {
  return defineRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'Read the description of this interface',
    auth: 'none',
    handler(ctx) {
      const text = JSON.stringify(document.build())
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      const headers = { etag, 'cache-control': 'no-cache' }
      const known = ctx.header('if-none-match')
      const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
      return isKnown
        ? raw('', 'application/json', { status: 304, headers })
        : raw(text, 'application/json', { headers })
    },
  })
}

/** What stands at the root while there is no console. */
export const rootRoute: Route = defineRoute({
  method: 'get',
  path: '/',
  summary: 'Lead to the description of this interface',
  auth: 'none',
  hidden: true,
  handler: () => redirect('/openapi.json'),
})
