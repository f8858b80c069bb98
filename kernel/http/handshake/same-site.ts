import type { IncomingMessage } from 'node:http'
import type { ServiceTable } from '../../service.ts'
import { requestAuthority } from '../ip.ts'
import { originPolicy } from '../origin-policy.ts'
import { trustedProxies } from '../trusted-proxies.ts'

/**
 * Whether the page that asks may: browsers send an Origin with every WebSocket and let any page open one, so nobody but the
 * server can refuse. Who sends none is no browser.
 */
export async function isFromAllowedPage(request: IncomingMessage, services: ServiceTable): Promise<boolean> {
  const { origin } = request.headers
  if (origin === undefined) return true
  const url = URL.parse(origin)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin) return false
  const authority = requestAuthority(request, services.find(trustedProxies))
  if (authority !== '' && isSameHost(url, authority)) return true
  return (await services.find(originPolicy)?.allowed(origin)) ?? false
}

/** The port of the scheme may be said or not. */
function isSameHost({ protocol, host }: URL, authority: string): boolean {
  return URL.parse(`${protocol}//${authority}`)?.host === host
}
