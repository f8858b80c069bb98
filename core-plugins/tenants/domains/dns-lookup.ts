import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DomainChecks, RecordCheck } from '../models.ts'
import type { DomainChallenge } from './challenge.ts'

/** Looks up the records of a domain; what takes longer than three seconds in all counts as unanswered. */
export type DomainLookup = (challenge: DomainChallenge) => Promise<DomainChecks>

type Answer = { readonly records: readonly string[]; readonly isAnswered: boolean }

const patience = 3000
const nothingThere: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME'])
// What is kept and shown of what strangers' name servers say.
const shownRecords = 10
const shownCharacters = 255

/** Makes look-ups that ask these name servers, or where none are set the system's. */
export function createDomainLookup(servers: readonly string[]): DomainLookup {
  return async (challenge) => {
    // One each: a resolver that is given up takes all its questions along.
    const resolver = new Resolver({ timeout: patience, tries: 1 })
    if (servers.length > 0) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), patience)
    try {
      return await lookUp(resolver, challenge)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function lookUp(
  dns: Resolver,
  { domain, txtName, txtValue, cnameTarget, serverIps }: DomainChallenge,
): Promise<DomainChecks> {
  const [texts, aliases, addresses] = await Promise.all([
    ask(async () => (await dns.resolveTxt(txtName)).map((parts) => parts.join(''))),
    ask(async () => (await dns.resolveCname(domain)).map(plainName)),
    addressesOf(dns, domain),
  ])
  const isAlias = aliases.records.includes(cnameTarget)
  // A zone's own name is made an alias by copying the target's addresses.
  const expected = isAlias || (await leadHere(addresses, serverIps, dns, cnameTarget))
  return {
    txt: present(
      texts,
      texts.records.some((text) => text.trim() === txtValue),
    ),
    cname: present(aliases, isAlias),
    a: present(addresses, addresses.records.length > 0 && expected),
  }
}

async function leadHere(
  { records }: Answer,
  serverIps: readonly string[],
  dns: Resolver,
  target: string,
): Promise<boolean> {
  const ours = new Set(serverIps.map(plainAddress))
  const isOurs = (address: string): boolean => ours.has(address)
  if (records.length === 0 || records.every(isOurs)) return true
  for (const address of (await addressesOf(dns, target)).records) ours.add(address)
  return records.every(isOurs)
}

async function addressesOf(dns: Resolver, name: string): Promise<Answer> {
  const answers = await Promise.all([ask(() => dns.resolve4(name)), ask(() => dns.resolve6(name))])
  return {
    records: answers.flatMap(({ records }) => records.map(plainAddress)),
    isAnswered: answers.some(({ isAnswered, records }) => isAnswered && records.length > 0) || answers.every(answered),
  }
}

async function ask(question: () => Promise<readonly string[]>): Promise<Answer> {
  try {
    return { records: await question(), isAnswered: true }
  } catch (error) {
    return { records: [], isAnswered: nothingThere.has((error as NodeJS.ErrnoException).code) }
  }
}

function present({ records, isAnswered }: Answer, ok: boolean): RecordCheck {
  const found = records.slice(0, shownRecords).map((text) => text.slice(0, shownCharacters))
  return { ok, found, ...(!isAnswered && { error: 'no_answer' as const }) }
}

function answered({ isAnswered }: Answer): boolean {
  return isAnswered
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/** An address in its one spelling. */
function plainAddress(address: string): string {
  return isIPv6(address) ? ipaddr.parse(address).toString() : address.trim()
}
