import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Resolve, ResolvedAddress } from './resolve.ts'
import { shareLookups } from './shared-lookups.ts'

const queryMs = 1_500
const lateMs = 300
/** A look-up that takes longer is given up with everything that it asked. */
const patienceMs = 3_000

const loopback: readonly ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }]

/** What the operator set for looking names up. */
interface ResolveOptions {
  readonly dnsServers: readonly string[]
  /** `host:port` entries that the operator named. */
  readonly named: ReadonlySet<string>
}

/**
 * Asks the operator's name servers, or where none are set the system's, and never through getaddrinfo: that holds a thread of
 * the few that files and hashing need as well, for as long as a silent server pleases. Only hosts that the operator named are
 * looked up as the system does it, with its hosts file and search domains. `localhost` and names below it are loopback (RFC 6761, 6.3).
 */
export function createResolve({ dnsServers, named }: ResolveOptions): Resolve {
  const asksSystem = new Set([...named].map((entry) => entry.replace(/:\d+$/, '').toLowerCase()))
  const ask = shareLookups((hostname) =>
    dnsServers.length === 0 && asksSystem.has(hostname)
      ? resolveWithSystem(hostname)
      : resolveApart(dnsServers, hostname),
  )
  return (hostname) => (/(^|\.)localhost\.?$/i.test(hostname) ? Promise.resolve(loopback) : ask(hostname))
}

/** Each look-up has a channel of its own: what is answered badly to one fails everything that shares a channel with it. */
async function resolveApart(dnsServers: readonly string[], hostname: string): Promise<readonly ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: queryMs, tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const timer = setTimeout(() => resolver.cancel(), patienceMs)
  try {
    return await resolveWith(resolver, hostname)
  } finally {
    clearTimeout(timer)
    // What was not waited for keeps no socket.
    resolver.cancel()
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
  const late = Promise.any(asked).then(() => pause(lateMs, [], { ref: false }))
  late.catch(() => undefined)
  const answers = await Promise.allSettled(asked.map((answer) => Promise.race([answer, late])))
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const [four] = answers
  throw new Error(`No address answers to ${hostname}`, { cause: four?.status === 'rejected' ? four.reason : undefined })
}
