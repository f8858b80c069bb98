import type { DomainRow } from '../models.ts'
import type { DomainChecks } from '../models.ts'

/** What of a row follows from an answer of name servers. */
type DomainPatch = Partial<
  Pick<
    DomainRow,
    'status' | 'checks' | 'checkedAt' | 'nextCheckAt' | 'attempts' | 'misses' | 'verifiedAt' | 'lostAt' | 'trusted'
  >
>

/** Times in milliseconds after which a domain that waits for its proof is looked at again; then daily. */
const waits = [1, 2, 5, 15, 60].map((minutes) => minutes * 60_000)
const daily = 24 * 60 * 60_000
const hourly = 60 * 60_000
const forgivenMisses = 2

/** When a new domain is first looked at. */
export function firstCheck(now: Date): Date {
  return later(now, waits[0] ?? daily)
}

/** What an answer means for a domain: its place in time is told only by the checks in the background (`isScheduled`). */
export function judge(row: DomainRow, checks: DomainChecks, isScheduled: boolean, now: Date): DomainPatch {
  const seen = { checks, checkedAt: now }
  if (row.status === 'verified' && row.trusted) return seen
  if (checks.txt.ok) {
    return {
      ...seen,
      status: 'verified',
      verifiedAt: row.status === 'verified' ? row.verifiedAt : now,
      lostAt: null,
      attempts: 0,
      misses: 0,
      nextCheckAt: later(now, daily),
    }
  }
  if (!isScheduled) return seen
  // A name server that is away says nothing about the record.
  const isGone = checks.txt.error === undefined
  if (row.status === 'verified') return { ...seen, ...(isGone ? miss(row, now) : { nextCheckAt: later(now, hourly) }) }
  if (row.status !== 'pending') return { ...seen, nextCheckAt: later(now, daily) }
  return { ...seen, attempts: row.attempts + 1, nextCheckAt: later(now, waits[row.attempts + 1] ?? daily) }
}

/** Whether the domain leads here. */
export function isServing(checks: DomainChecks | null): boolean {
  return checks !== null && (checks.cname.ok || checks.a.ok)
}

function miss({ misses }: DomainRow, now: Date): DomainPatch {
  const next = { misses: misses + 1, nextCheckAt: later(now, daily) }
  return misses < forgivenMisses ? next : { ...next, status: 'failed', lostAt: now }
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
