import { Resolver } from 'node:dns/promises'

/** What a name has of a kind: its records, or why there are none. */
export type DnsAnswer<T> =
  { readonly kind: 'found'; readonly records: readonly T[] } | { readonly kind: 'none' } | { readonly kind: 'failed' }

/** The flag, tag and value of a record that says which authorities may issue (RFC 8659). */
export interface CaaRule {
  readonly tag: string
  readonly value: string
}

/** Asks name servers: the operator's, or where none are set the system's. */
export interface DnsQuestions {
  addresses(name: string, family: 4 | 6): Promise<DnsAnswer<string>>
  alias(name: string): Promise<DnsAnswer<string>>
  authorities(name: string): Promise<DnsAnswer<CaaRule>>
}

/** How long one question may take, in milliseconds. */
const patience = 3000
const nothingThere: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME'])

/** Makes questions to these servers. */
export function createDnsQuestions(servers: readonly string[]): DnsQuestions {
  async function ask<T>(question: (resolver: Resolver) => Promise<readonly T[]>): Promise<DnsAnswer<T>> {
    // One each: a resolver that is given up takes all its questions along.
    const resolver = new Resolver({ timeout: patience, tries: 1 })
    if (servers.length > 0) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), patience)
    try {
      const records = await question(resolver)
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
    } catch (error) {
      return { kind: nothingThere.has((error as NodeJS.ErrnoException).code) ? 'none' : 'failed' }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    addresses: (name, family) => ask((dns) => (family === 4 ? dns.resolve4(name) : dns.resolve6(name))),
    alias: (name) => ask((dns) => dns.resolveCname(name)),
    authorities: (name) => ask(async (dns) => (await dns.resolveCaa(name)).flatMap(readCaa)),
  }
}

/** Node gives one record as an object whose one member, beside `critical` and `type`, is its tag. */
function readCaa(record: object): readonly CaaRule[] {
  return Object.entries(record).flatMap(([tag, value]) => {
    return typeof value === 'string' && tag !== 'type' ? [{ tag, value }] : []
  })
}
