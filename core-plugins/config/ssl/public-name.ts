import { isIP } from 'node:net'

/** Names for one's own network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'lan']

/** Whether a domain may be one that the whole world can look up: a name of two labels or more, and no address. */
export function isPublicName(domain: string): boolean {
  const name = domain.toLowerCase().replace(/^\*\./, '').replace(/\.$/, '')
  if (isIP(name) !== 0 || !name.includes('.')) return false
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}
