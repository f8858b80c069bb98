import { findPublisher, isListed } from '#marketplace'
import type { KnownKey } from '../publishers/known-key.ts'
import type { OpenSource } from '../sources/source-set.ts'

/** What may tie a plugin, or with `acme.*` a publisher's packages, to a source. */
export interface Ties {
  readonly name: string
  /** Where it and its release were taken from; null for an upload. */
  readonly origins: readonly (string | null)[]
  /** The key that signed it, where the site knows it. */
  readonly key: KnownKey | undefined
}

/**
 * Whether a source is heard about a plugin: it was taken from there, an administrator says so, or the key that signed it is
 * believed through that source. Listing somebody's key proves nothing, as public keys are public; only where the source that
 * brought the key is gone do those that list the very same one speak in its place.
 */
export function isBonded({ row, index }: OpenSource, { name, origins, key }: Ties): boolean {
  if (origins.includes(row.id) || isListed(name, row.judges)) return true
  if (!key || row.unsigned) return false
  if (key.source !== null || !key.believed) return key.source === row.id
  const listed = findPublisher(index.publishers, key.publisher)?.keys ?? []
  return listed.some(({ kid, publicKey }) => kid === key.kid && publicKey === key.publicKey)
}
