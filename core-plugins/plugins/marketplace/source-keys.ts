import { findPublisher, type TrustedKey } from '#marketplace'
import type { SourceKeys } from '../trust/publisher-keys.ts'
import { lowerOf } from '../trust/ranks.ts'
import type { SourceSet } from './source-set.ts'

/** The publishers' keys that the enabled sources list. An index without signatures lists none that could be believed. */
export function keysOf(sources: SourceSet): SourceKeys {
  const asked = (source?: string) => sources.all.filter(({ row }) => source === undefined || row.id === source)
  return {
    find(name, kid, source) {
      for (const { row, index } of asked(source)) {
        const publisher = row.unsigned ? undefined : findPublisher(index.publishers, name)
        if (!publisher) continue
        // A publisher is who the first source says it is: another source cannot add a key.
        const key = publisher.keys.find((each) => each.kid === kid)
        return key && { ...key, publisher: name, level: lowerOf<TrustedKey['level']>(publisher.level, row.maxTrust) }
      }
      return undefined
    },
    isRevoked: (kid, source) =>
      asked(source).some(
        // What nobody signed says nothing of other sources' keys.
        ({ row, index }) =>
          (source !== undefined || !row.unsigned) && index.revocations.keys.some((revoked) => revoked.kid === kid),
      ),
  }
}
