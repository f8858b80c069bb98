import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** One address of a host name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host name; rejects where there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

const QUERY_MS = 1_500
const LATE_MS = 300

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
  const asked = [
    resolver.resolve4(hostname).then((found) => found.map((address): ResolvedAddress => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address): ResolvedAddress => ({ address, family: 6 }))),
  ]
  // A server that answers to one kind and is silent on the other is waited for no longer than for a late answer (RFC 8305, 3).
  const late = Promise.any(asked).then(() => pause(LATE_MS, [], { ref: false }))
  late.catch(() => undefined)
  const answers = await Promise.allSettled(asked.map((answer) => Promise.race([answer, late])))
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const [four] = answers
  throw new Error(`No address answers to ${hostname}`, { cause: four?.status === 'rejected' ? four.reason : undefined })
}
