import type { TrustedKey } from '#marketplace'
import type { PublisherRow } from './models.ts'

/** A publisher's key that this site knows, and how it came to. */
export interface KnownKey extends TrustedKey {
  readonly publisher: string
  readonly level: PublisherRow['level']
  /** Whether a source listed it; otherwise an administrator added it. */
  readonly believed: boolean
  /** The source through which it became known; null where there was none, or it is gone. */
  readonly source: string | null
}

/** The key that a row keeps. */
export function keyOfRow({ kid, publicKey, publisher, level, believed, source }: PublisherRow): KnownKey {
  return { kid, publicKey, publisher, level, believed, source }
}
