import { randomBytes } from 'node:crypto'
import type { CaaRule, DnsAnswer, DnsQuestions } from './dns-questions.ts'
import { isPublicName } from './public-name.ts'

/** Where the platform's domains should lead. */
interface ExpectedDns {
  readonly ips: readonly string[]
  readonly cname: string
}

/** What is wanted of the domains. */
export interface ReadinessQuestion {
  readonly domains: readonly string[]
  readonly expected: ExpectedDns
  readonly mode: string
}

/** Why a domain is not ready, with what the sentence about it needs. */
export interface DnsIssue {
  readonly reason: IssueReason
  readonly params: Readonly<Record<string, string>>
}
/** The kinds of reasons. */
type IssueReason =
  'not_pointing_here' | 'nxdomain' | 'caa_forbids' | 'acme_conflict' | 'no_expected_ip' | 'private_name' | 'dns_failed'

/** What a domain's records are. */
export interface DomainReadiness {
  readonly domain: string
  readonly ready: boolean
  readonly records: readonly {
    readonly type: 'A' | 'AAAA' | 'CNAME'
    readonly found: readonly string[]
    readonly expected: readonly string[]
    readonly ok: boolean
  }[]
  /** The name below a wildcard that was asked for; null for a plain domain. */
  readonly wildcard: { readonly tested: string; readonly ok: boolean } | null
  readonly caa: { readonly ok: boolean; readonly found: readonly string[] }
  readonly acme_challenge: { readonly ok: boolean; readonly conflict: string | null }
  readonly issues: readonly DnsIssue[]
}

/** The authority that ACME certificates are asked of. */
const authority = 'letsencrypt.org'

/** Looks up whether domains lead here and whether a certificate could be issued for them. */
export async function askReadiness(
  dns: DnsQuestions,
  question: ReadinessQuestion,
): Promise<readonly DomainReadiness[]> {
  return Promise.all(question.domains.map((domain) => askDomain(dns, domain, question)))
}

async function askDomain(dns: DnsQuestions, domain: string, question: ReadinessQuestion): Promise<DomainReadiness> {
  const { expected, mode } = question
  const base = domain.replace(/^\*\./, '')
  const tested = base === domain ? domain : `${randomBytes(4).toString('hex')}.${base}`
  const unasked = { records: [], wildcard: null, caa: { ok: false, found: [] } } as const
  if (!isPublicName(domain)) {
    const issues: readonly DnsIssue[] = [{ reason: 'private_name', params: { domain } }]
    return { domain, ready: false, ...unasked, acme_challenge: { ok: false, conflict: null }, issues }
  }
  const [four, six, alias, caa, challenge] = await Promise.all([
    dns.addresses(tested, 4),
    dns.addresses(tested, 6),
    dns.alias(tested),
    mode.startsWith('acme') ? findAuthorities(dns, base) : ({ kind: 'none' } as const),
    mode === 'acme_dns01' ? dns.alias(`_acme-challenge.${base}`) : ({ kind: 'none' } as const),
  ])
  const place = judgePlace(domain, expected, { four, six, alias })
  const rules = recordsOf(caa)
  const isAllowed = allows(rules, domain !== base)
  const conflict = recordsOf(challenge)[0] ?? null
  const issues: readonly DnsIssue[] = [
    ...place.issues,
    ...(caa.kind === 'failed' || challenge.kind === 'failed'
      ? [{ reason: 'dns_failed' as const, params: { domain } }]
      : []),
    ...(isAllowed ? [] : [{ reason: 'caa_forbids' as const, params: { domain, authority } }]),
    ...(conflict === null ? [] : [{ reason: 'acme_conflict' as const, params: { domain: base, conflict } }]),
  ]
  return {
    domain,
    ready: issues.length === 0,
    records: place.records,
    wildcard: base === domain ? null : { tested, ok: place.issues.length === 0 },
    caa: { ok: isAllowed, found: rules.map(({ tag, value }) => `${tag} ${value}`) },
    acme_challenge: { ok: conflict === null, conflict },
    issues,
  }
}

interface Place {
  readonly four: DnsAnswer<string>
  readonly six: DnsAnswer<string>
  readonly alias: DnsAnswer<string>
}

/** Every address must be one of ours, of both families; a CNAME to the right place is enough without them. */
function judgePlace(
  domain: string,
  { ips, cname }: ExpectedDns,
  { four, six, alias }: Place,
): Pick<DomainReadiness, 'records' | 'issues'> {
  const targets = recordsOf(alias).map((target) => target.toLowerCase().replace(/\.$/, ''))
  const isAlias = cname !== '' && targets.includes(cname)
  const family = (type: 'A' | 'AAAA', answer: DnsAnswer<string>) => {
    const found = recordsOf(answer)
    const expected = ips.filter((ip) => ip.includes(':') === (type === 'AAAA'))
    return { type, found, expected, ok: isAlias || found.every((ip) => expected.includes(ip)) }
  }
  const addresses = [family('A', four), family('AAAA', six)]
  const shown = { type: 'CNAME' as const, found: targets, expected: cname === '' ? [] : [cname], ok: isAlias }
  const records = [...addresses, ...(targets.length > 0 ? [shown] : [])].filter(({ found, expected }) => {
    return found.length + expected.length > 0
  })
  const isThere = addresses.some(({ found }) => found.length > 0)
  const issue = (reason: IssueReason): readonly DnsIssue[] => [
    { reason, params: { domain, ips: ips.join(', '), cname } },
  ]
  if (isAlias) return { records, issues: [] }
  if ([four, six].some(({ kind }) => kind === 'failed')) return { records, issues: issue('dns_failed') }
  if (!isThere) return { records, issues: issue('nxdomain') }
  if (ips.length === 0) return { records, issues: issue('no_expected_ip') }
  return { records, issues: addresses.every(({ ok }) => ok) ? [] : issue('not_pointing_here') }
}

/** The rules that count for a name: its own or those of the nearest name above it (RFC 8659, section 3). */
async function findAuthorities(dns: DnsQuestions, name: string): Promise<DnsAnswer<CaaRule>> {
  const labels = name.split('.')
  for (let first = 0; first < labels.length; first += 1) {
    const answer = await dns.authorities(labels.slice(first).join('.'))
    if (answer.kind !== 'none') return answer
  }
  return { kind: 'none' }
}

/** Whether the rules let our authority issue (RFC 8659, section 4): wildcards look at `issuewild` first. */
function allows(rules: readonly CaaRule[], isWildcard: boolean): boolean {
  const wild = rules.filter(({ tag }) => tag === 'issuewild')
  const counted = isWildcard && wild.length > 0 ? wild : rules.filter(({ tag }) => tag === 'issue')
  return counted.length === 0 || counted.some(({ value }) => value.split(';')[0]?.trim().toLowerCase() === authority)
}

function recordsOf<T>(answer: DnsAnswer<T>): readonly T[] {
  return answer.kind === 'found' ? answer.records : []
}
