import { isPublicSuffix } from '../../manifest/public-suffix.ts'
import type { HostGrant } from '../../grants.ts'
import { Refusal } from '../refusal.ts'

const defaultPorts = [443]
const defaultMethods = ['GET']
const addressLiteral = /^\[|^[\d.]+$/

/** The grant that covers host, port and method of the parsed URL, and throws when none does; `*` counts only with `http:any`. */
export function checkHostGrant(
  url: URL,
  method: string,
  grants: readonly HostGrant[],
  mayReachAny: boolean,
): HostGrant {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const covering = grants.find(({ host, ports = defaultPorts, methods = defaultMethods }) => {
    return matchesHost(url.hostname, host, mayReachAny) && ports.includes(port) && methods.includes(method)
  })
  if (covering) return covering
  throw new Refusal('forbidden', 'host_not_granted', `${method} to this host and port was not granted`, {
    host: url.hostname.slice(0, 253),
    port,
    method,
  })
}

/** Of a URL's host, which is lower-case ASCII already; an address is never meant by a name. */
function matchesHost(hostname: string, granted: string, mayReachAny: boolean): boolean {
  if (granted === '*') return mayReachAny
  if (addressLiteral.test(hostname)) return false
  if (!granted.startsWith('*.')) return hostname === granted
  const suffix = granted.slice(1)
  if (hostname.length <= suffix.length || !hostname.endsWith(suffix)) return false
  // However it came to be granted: the list of public suffixes grows, and grants outlive it.
  return !isPublicSuffix(granted.slice(2))
}
