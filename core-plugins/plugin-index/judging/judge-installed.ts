import { findRevocation } from '#marketplace'
import type { ReleaseFacts } from '../../plugins/contract.ts'
import { isBonded, type Ties } from './bonds.ts'
import type { RevocationRow } from './models.ts'
import type { OpenSource } from '../sources/source-set.ts'

/** What is said against a release, and by whom. */
export type Verdict = Pick<RevocationRow, 'source' | 'action' | 'asked' | 'severity' | 'reason' | 'cve' | 'kid'>

type Judged = Pick<ReleaseFacts, 'version' | 'kid'> & Ties

const weight = { warn: 0, block_install: 1, disable: 2 } as const

/**
 * What the sources say against a release. A source that has a bond to the plugin is heard; any other that is signed may warn of
 * it, whatever it asks for.
 */
export function judgeRelease(sources: readonly OpenSource[], judged: Judged): Verdict | undefined {
  return heaviest(sources.flatMap((open) => judge(open, judged)))
}

/** Of several verdicts the one that asks for most; among equals one that is heard, and then the first. */
export function heaviest(verdicts: readonly Verdict[]): Verdict | undefined {
  const weigh = ({ action, asked }: Verdict) => weight[action] * 2 + (asked === null ? 1 : 0)
  return verdicts.toSorted((one, other) => weigh(other) - weigh(one))[0]
}

function judge(open: OpenSource, judged: Judged): readonly Verdict[] {
  const verdicts = [judgeVersion(open, judged), judgeKey(open, judged)].filter((verdict) => verdict !== undefined)
  if (verdicts.length === 0 || isBonded(open, judged)) return verdicts.map((each) => ({ ...each, asked: null }))
  // What nobody signed says nothing of what others brought.
  if (open.row.unsigned) return []
  return verdicts.map((each) => ({ ...each, action: 'warn', asked: each.action }))
}

function judgeVersion({ row, index }: OpenSource, { name, version }: Judged) {
  const found = findRevocation(index.revocations, name, version)
  if (!found) return undefined
  const { action, severity, reason, cve = null } = found
  return { source: row.id, action, severity, reason, cve, kid: null }
}

/** What a revoked key signed is not installed any more; whether it goes on running is for people to say. */
function judgeKey({ row, index }: OpenSource, { kid }: Judged) {
  const found = index.revocations.keys.find((revoked) => revoked.kid === kid)
  if (kid === null || !found) return undefined
  const reason = found.reason ?? `The key ${kid} was revoked`
  return { source: row.id, action: 'block_install', severity: 'high', reason, cve: null, kid } as const
}
