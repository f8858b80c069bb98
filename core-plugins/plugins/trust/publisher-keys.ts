import type { SigningKey, TrustedKey, TrustStore } from '#marketplace'
import type { Knex } from 'knex'
import { trustSite } from '../releases/site-trust.ts'
import { PublisherKeyRevokedError, PublisherKeyUnknownError } from './errors.ts'
import { PublisherRow } from './models.ts'

/** Keys that index sources list, each at most as far trusted as its source. */
export interface SourceKeys {
  /** A publisher's key: of this source, or of the first source that knows the publisher. */
  find(publisher: string, kid: string, source?: string): TrustedKey | undefined
  /** Whether this source, or without one any source, says that this key must not be believed any more. */
  isRevoked(kid: string, source?: string): boolean
}

/** The keys of publishers that this site knows: its own list before those of the index sources. */
export class PublisherKeys {
  readonly #db: Knex
  readonly #site: TrustStore
  readonly #sources: SourceKeys

  constructor(db: Knex, siteKey: SigningKey, sources: SourceKeys) {
    this.#db = db
    this.#site = trustSite(siteKey)
    this.#sources = sources
  }

  /** A publisher's key that is believed; undefined for one that nobody knows or that was revoked. */
  async find(publisher: string, kid: string, source?: string): Promise<TrustedKey | undefined> {
    if (this.#sources.isRevoked(kid, source)) return undefined
    const row = await PublisherRow.with(this.#db).findOne({ publisher, kid })
    if (row) return { kid, publicKey: row.publicKey, publisher, level: row.level }
    return this.#sources.find(publisher, kid, source)
  }

  /** What a package of a publisher may be signed with; throws 400/4009 for a key that was revoked or that nobody knows. */
  trustOf(publisher: string, source?: string): TrustStore {
    return {
      findKey: async (kid) => {
        const known = (await this.#site.findKey(kid)) ?? (await this.find(publisher, kid, source))
        if (known) return known
        const about = { publisher, kid }
        if (this.#sources.isRevoked(kid, source)) {
          throw new PublisherKeyRevokedError(about, { details: { rule: 'key_revoked', ...about } })
        }
        throw new PublisherKeyUnknownError(about, { details: { rule: 'key_unknown', ...about } })
      },
    }
  }
}
