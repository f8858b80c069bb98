import { bare, defineRoute, raw, versionOfText, type ApiDocument, type RequestState, type Route } from '#kernel'
import type { HealthDetail, HealthResult } from './contract.ts'
import { HealthFailedError, HostStartingError } from './errors.ts'
import { healthBody, healthDetailBody } from './schemas.ts'

/** How the parts of this host are. */
interface Details {
  read(): Readonly<Record<string, HealthDetail>>
}

/** Whether the platform is well and this host takes callers; asked often, so it is never limited. */
export function healthRoute(checkHealth: () => Promise<HealthResult>, details: Details): Route {
  return defineRoute({
    method: 'get',
    path: '/api/public/health',
    summary: 'Tell whether the database and the cache answer, and this host has started',
    auth: 'none',
    answers: [{ isBare: true }],
    schema: { response: healthBody },
    errors: [5032],
    async handler() {
      const result = await checkHealth()
      if (result.status === 'unhealthy') throw new HealthFailedError({ beside: { ...result } })
      if (isStarting(details)) throw new HostStartingError({ beside: { ...result, status: 'starting' } })
      return bare(result, { headers: { 'cache-control': 'no-store' } })
    },
  })
}

/** How this host is, in full: what it can do without is not for everybody, and ends no balancer's trust in it. */
export function healthDetailRoute(hostId: string, checkHealth: () => Promise<HealthResult>, details: Details): Route {
  return defineRoute({
    method: 'get',
    path: '/admin/health',
    summary: 'Read how this host is, with what it could not start',
    auth: 'platform',
    permission: 'platform_health:read',
    schema: { response: healthDetailBody },
    async handler() {
      const result = await checkHealth()
      const parts = details.read()
      const isWhole = Object.values(parts).every(({ status }) => status === 'healthy')
      const lesser = isStarting(details) ? ('starting' as const) : ('degraded' as const)
      const status = result.status === 'healthy' && !isWhole ? lesser : result.status
      return { ...result, status, host: hostId, details: parts }
    },
  })
}

function isStarting(details: Details): boolean {
  return Object.values(details.read()).some(({ status }) => status === 'starting')
}

/** The description of everything that is enabled, of which plugins that were installed are for those who are signed in. */
export function documentRoute(document: ApiDocument): Route {
  const printed = new WeakMap<object, { readonly text: string; readonly etag: string }>()

  /** Anybody may ask as often as they like: the text is made once for each set of routes and who may know of them. */
  function print(state: RequestState): { readonly text: string; readonly etag: string } {
    const built = document.build(state)
    const known = printed.get(built)
    if (known) return known
    const text = JSON.stringify(built)
    const fresh = { text, etag: `"${versionOfText(text)}"` }
    printed.set(built, fresh)
    return fresh
  }

  return defineRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'Read the description of this interface',
    auth: 'optional',
    answers: [{ isBare: true, schema: { type: 'object' } }, 304],
    handler(ctx) {
      const { text, etag } = print(ctx.state)
      const cacheControl = ctx.state.principal ? 'private, no-cache' : 'no-cache'
      const headers = { etag, 'cache-control': cacheControl, vary: 'Authorization, X-API-Key' }
      return ctx.isFresh(etag)
        ? raw('', 'application/json', { status: 304, headers })
        : raw(text, 'application/json', { headers })
    },
  })
}
