import { findRevocation } from '#marketplace'
import type { PluginRow, ReleaseRow } from '../models.ts'
import type { RevocationRow } from './models.ts'
import type { OpenSource } from './source-set.ts'

/** What is said against a release, and by whom. */
export type Verdict = Pick<RevocationRow, 'source' | 'action' | 'severity' | 'reason' | 'cve' | 'kid'>

const WEIGHT = { warn: 0, block_install: 1, disable: 2 } as const

/**
 * What the sources say against a release. A source speaks of what was taken from it; what was uploaded belongs to no source,
 * and each of them that is signed may warn of it.
 */
export function judgeRelease(
  sources: readonly OpenSource[],
  { source }: Pick<PluginRow, 'source'>,
  release: Pick<ReleaseRow, 'name' | 'version' | 'kid'>,
): Verdict | undefined {
  const verdicts = sources
    .filter(({ row }) => (source === null ? !row.unsigned : row.id === source))
    .flatMap((open) => [judgeVersion(open, release), judgeKey(open, release)])
    .filter((verdict) => verdict !== undefined)
  return verdicts.sort((one, other) => WEIGHT[other.action] - WEIGHT[one.action])[0]
}

function judgeVersion({ row, index }: OpenSource, { name, version }: Pick<ReleaseRow, 'name' | 'version'>) {
  const found = findRevocation(index.revocations, name, version)
  if (!found) return undefined
  const { action, severity, reason, cve = null } = found
  return { source: row.id, action, severity, reason, cve, kid: null }
}

/** What a revoked key signed is not installed any more; whether it goes on running is for people to say. */
function judgeKey({ row, index }: OpenSource, { kid }: Pick<ReleaseRow, 'kid'>): Verdict | undefined {
  const found = index.revocations.keys.find((revoked) => revoked.kid === kid)
  if (kid === null || !found) return undefined
  const reason = found.reason ?? `The key ${kid} was revoked`
  return { source: row.id, action: 'block_install', severity: 'high', reason, cve: null, kid }
}
