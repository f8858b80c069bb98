import { findPublisher, lowerOf } from '#marketplace'
import type { KnownKey } from '../publishers/known-key.ts'
import type { SourceKeys } from '../publishers/publisher-keys.ts'
import { isBonded } from './bonds.ts'
import type { SourceSet } from '../sources/source-set.ts'

/** The publishers' keys that the enabled sources list. An index without signatures lists none that could be believed. */
export function keysOf(sources: SourceSet): SourceKeys {
  const asked = (source?: string) => sources.all.filter(({ row }) => source === undefined || row.id === source)
  return {
    list(name, source) {
      for (const { row, index } of asked(source)) {
        const publisher = row.unsigned ? undefined : findPublisher(index.publishers, name)
        if (!publisher) continue
        // A publisher is who the first source says it is: another source cannot add a key.
        const level = lowerOf<KnownKey['level']>(publisher.level, row.maxTrust)
        return publisher.keys.map((key) => ({ ...key, publisher: name, level, believed: true, source: row.id }))
      }
      return []
    },
    limit: (level, source) => lowerOf<KnownKey['level']>(level, sources.find(source)?.row.maxTrust ?? level),
    isRevoked: (ties, kid) =>
      sources.all.some((open) => open.index.revocations.keys.some((key) => key.kid === kid) && isBonded(open, ties)),
  }
}
