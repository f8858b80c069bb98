import { Agent } from 'undici'
import { createGuardedConnector } from './guarded-connector.ts'
import type { GuardedFetchOptions } from './guarded-fetch.ts'
import { createResolve } from './resolver.ts'

/** What the operator set for outgoing requests, and how long connections are waited for and kept. */
export interface GuardedAgentOptions extends Pick<GuardedFetchOptions, 'egressAllowPrivate' | 'dnsServers' | 'ca'> {
  readonly connectMs: number
  readonly keepAliveMs: number
  readonly responseHeaderBytes: number
}

/**
 * Connections to public addresses alone, for whoever reads answers as they come and ends them by own clocks: as many for each
 * origin as there are calls under way. Who dispatches on it follows no redirect and checks URLs.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const { egressAllowPrivate, dnsServers, ca, connectMs, keepAliveMs, responseHeaderBytes } = options
  return new Agent({
    connect: createGuardedConnector({
      resolve: createResolve({ dnsServers, named: egressAllowPrivate }),
      ...{ exceptions: egressAllowPrivate, timeoutMs: connectMs },
      ...(ca === undefined ? {} : { ca }),
    }),
    ...{ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
    ...{ keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs, maxHeaderSize: responseHeaderBytes },
  })
}
