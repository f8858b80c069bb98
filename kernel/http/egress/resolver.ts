import { lookup, Resolver } from 'node:dns/promises'

/** One address of a host name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host name; rejects where there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

const QUERY_MS = 1_500

const LOOPBACK: readonly ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }]

/** Asks the operator's name servers, or where none are set the system; `localhost` and names below it are loopback (RFC 6761, 6.3). */
export function createResolve(dnsServers: readonly string[]): Resolve {
  const ask = dnsServers.length === 0 ? resolveWithSystem : createAsk(dnsServers)
  return (hostname) => (/(^|\.)localhost\.?$/i.test(hostname) ? Promise.resolve(LOOPBACK) : ask(hostname))
}

/** Each question has a channel of its own: what is answered badly to one fails everything that shares a channel with it. */
function createAsk(dnsServers: readonly string[]): Resolve {
  return (hostname) => {
    const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 })
    resolver.setServers(dnsServers)
    return resolveWith(resolver, hostname)
  }
}

async function resolveWithSystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

async function resolveWith(resolver: Resolver, hostname: string): Promise<readonly ResolvedAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address): ResolvedAddress => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address): ResolvedAddress => ({ address, family: 6 })) : []),
  ]
  if (found.length > 0) return found
  throw new Error(`No address answers to ${hostname}`, { cause: four.status === 'rejected' ? four.reason : undefined })
}
