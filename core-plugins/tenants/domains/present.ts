import type { DomainStatus } from '../contract.ts'
import type { DomainRow } from '../models.ts'
import type { DomainChecks } from '../models.ts'
import type { DomainState } from './domain-service.ts'
import { listInstructions } from './instructions.ts'
import { isServing } from './outcome.ts'

const nothing = { ok: false, found: [] } as const
const unchecked: DomainChecks = { txt: nothing, cname: nothing, a: nothing }

/** What anybody may know of a domain and its proof, in the reader's language. */
export function presentVerification({ row, challenge }: DomainState, locale: string) {
  const status: DomainStatus | 'unbound' = row?.status ?? 'unbound'
  return {
    domain: challenge.domain,
    cname_target: challenge.cnameTarget,
    cname_name: challenge.cnameName,
    txt_name: challenge.txtName,
    txt_value: challenge.txtValue,
    is_verified: status === 'verified',
    instructions: listInstructions(challenge, locale),
    status,
    checks: row?.checks ?? unchecked,
    checked_at: row?.checkedAt?.toISOString() ?? null,
    is_apex: challenge.isApex,
  }
}

/** A bound domain as its tenant sees it. */
export function presentDomain(state: DomainState & { readonly row: DomainRow }, locale: string) {
  const { row } = state
  return {
    id: row.id,
    ...presentVerification(state, locale),
    is_primary: row.primary,
    trusted: row.trusted,
    serving: isServing(row.checks),
    verified_at: row.verifiedAt?.toISOString() ?? null,
    next_check_at: row.nextCheckAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}
