import type { ModelVersionRow } from '../tables.ts'

/** Where a version is. */
type VersionState = 'draft' | 'scheduled' | 'canary' | 'active' | 'retired' | 'aborted'

/** What of a version decides when it is used. */
type VersionTimes = Pick<ModelVersionRow, 'version' | 'activatesAt' | 'canary' | 'abortedAt'>

/** The version that is used at a moment: the one that was activated last. */
export function activeVersion<V extends VersionTimes>(versions: readonly V[], now: number): V | undefined {
  let found: V | undefined
  for (const version of versions) {
    const at = version.activatesAt?.getTime() ?? Infinity
    if (at <= now && at >= (found?.activatesAt?.getTime() ?? -Infinity)) found = version
  }
  return found
}

/** The version that gets a part of the requests at a moment. */
export function canaryVersion<V extends VersionTimes>(versions: readonly V[], now: number): V | undefined {
  return versions.findLast(({ canary, abortedAt }) => {
    return canary !== null && abortedAt === null && Date.parse(canary.from) <= now && now < Date.parse(canary.until)
  })
}

/** Where a version of these is. */
export function stateOf(version: VersionTimes, versions: readonly VersionTimes[], now: number): VersionState {
  if (version.abortedAt !== null) return 'aborted'
  if (canaryVersion(versions, now) === version) return 'canary'
  if (activeVersion(versions, now) === version) return 'active'
  const begins = version.canary === null ? version.activatesAt?.getTime() : Date.parse(version.canary.from)
  if (begins !== undefined && begins > now) return 'scheduled'
  return version.activatesAt === null && version.canary === null ? 'draft' : 'retired'
}
