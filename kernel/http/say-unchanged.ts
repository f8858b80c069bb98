import type { IncomingMessage, ServerResponse } from 'node:http'
import { tenantResolver } from '../identity.ts'
import { traceStore } from '../log.ts'
import type { ServiceTable } from '../service.ts'
import { pipelineHeaders } from './answer-headers.ts'
import type { AppParts } from './app-parts.ts'
import { clientIp, requestHost } from './ip.ts'
import { countRequest } from './limit.ts'
import type { ServerState } from './server-state.ts'
import { isPlain, type StandingAnswer } from './standing-answers.ts'
import { traceIdOf } from './trace.ts'
import { trustedProxies } from './trusted-proxies.ts'

/**
 * Says 304 before the pipeline, to whoever asks without a credential for what stands since it was said last: the whole way costs several
 * times what Node takes for the answer. Everything that the pipeline asks is asked here, by what is in memory: the request's form,
 * the route, the host's tenant, what the handler's answer follows from (`stands`), and the limit, which counts it. Resolves to
 * false, and has done nothing, where any of it has changed; undefined is the same at once.
 */
export function createSayUnchanged(
  parts: AppParts,
  server: ServerState,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | undefined {
  return (request, response) => {
    if (request.headers['if-none-match'] === undefined || server.isDraining || !isPlain(request)) return undefined
    const proxies = parts.services.find(trustedProxies)
    const host = requestHost(request, proxies)
    const answer = server.standing.find(request, host)
    if (!answer || !stillStands(answer, host, parts)) return undefined
    const traceId = traceIdOf(request.headers.traceparent)
    return traceStore.run(traceId, async () => {
      const limits = await limitHeaders(answer, clientIp(request, proxies), parts)
      if (!limits) return false
      const headers = pipelineHeaders({ traceId, server, pipelineHeaders: limits })
      if (!response.destroyed) response.writeHead(304, Object.assign(headers, answer.headers)).end()
      return true
    })
  }
}

function stillStands(
  { route, tenant, stands }: StandingAnswer,
  host: string,
  { routes, services }: Pick<AppParts, 'routes' | 'services'>,
): boolean {
  return routes.isOpen(route) && (route.tenant === undefined || isTenantOf(host, tenant, services)) && stands()
}

function isTenantOf(host: string, tenant: StandingAnswer['tenant'], services: ServiceTable): boolean {
  return services.find(tenantResolver)?.knownByHost(host) === (tenant ?? 'none')
}

/** Counts the request; undefined where it is one too many or that cannot be told, which is for the pipeline to say. */
async function limitHeaders(
  { plugin, route: { limit } }: StandingAnswer,
  ip: string,
  { store }: Pick<AppParts, 'store'>,
): Promise<Record<string, string> | undefined> {
  if (limit === undefined) return {}
  try {
    const { headers, refusal } = await countRequest({ principal: undefined, ip }, plugin, limit, store.limiter)
    return refusal ? undefined : headers
  } catch {
    return undefined
  }
}
