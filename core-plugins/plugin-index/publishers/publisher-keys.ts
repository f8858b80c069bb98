import { lockUntilCommit } from '#kernel'
import type { TrustStore } from '#marketplace'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import { PublisherKeyRevokedError, PublisherKeyUnknownError } from '../errors.ts'
import { keyOfRow, type KnownKey } from './known-key.ts'
import { PublisherRow } from './models.ts'

/** Keys that index sources list, each at most as far trusted as its source. */
export interface SourceKeys {
  /** A publisher's keys: of this source, or of the first source that knows the publisher. */
  list(publisher: string, source?: string): readonly KnownKey[]
  /** A level, at most as far as a source is trusted. */
  limit(level: KnownKey['level'], source: string): KnownKey['level']
  /** Whether a source that has a bond says that this key must not be believed any more. */
  isRevoked(
    ties: { readonly name: string; readonly origins: readonly (string | null)[]; readonly key: KnownKey | undefined },
    kid: string,
  ): boolean
}

/**
 * The keys of publishers that this site knows. A publisher that it knows, because an administrator added a key or because a
 * source's were believed when the first package came in, has those keys alone until an administrator adds one.
 */
export class PublisherKeys {
  readonly #db: Knex
  readonly #audit: Audit
  readonly #site: TrustStore
  readonly #sources: SourceKeys

  constructor(db: Knex, audit: Audit, siteTrust: TrustStore, sources: SourceKeys) {
    this.#db = db
    this.#audit = audit
    this.#site = siteTrust
    this.#sources = sources
  }

  /** A publisher's key that is believed; undefined for one that nobody knows or that was revoked. */
  async find(publisher: string, kid: string, source?: string): Promise<KnownKey | undefined> {
    const key = await this.recognise(publisher, kid, source)
    return this.#isRevoked(publisher, kid, key, source) ? undefined : key
  }

  /** The same, whether it was revoked or not. */
  async recognise(publisher: string, kid: string, source?: string): Promise<KnownKey | undefined> {
    const rows = await PublisherRow.with(this.#db).where({ publisher })
    const listed = this.#sources.list(publisher, source)
    if (rows.length === 0) return listed.find((key) => key.kid === kid)
    const row = rows.find((each) => each.kid === kid)
    // Another key under the same id is another key.
    const isOther = source !== undefined && listed.some((key) => key.kid === kid && key.publicKey !== row?.publicKey)
    if (!row || isOther) return undefined
    return { ...keyOfRow(row), level: this.#levelOf(row, source) }
  }

  /** What a package of a publisher may be signed with; throws 400/4009 for a key that was revoked or that nobody knows. */
  trustOf(publisher: string, source?: string): TrustStore {
    return {
      findKey: async (kid) => {
        const site = await this.#site.findKey(kid)
        if (site) return site
        const about = { publisher, kid }
        const known = await this.recognise(publisher, kid, source)
        if (this.#isRevoked(publisher, kid, known, source)) {
          throw new PublisherKeyRevokedError(about, { details: { rule: 'key_revoked', ...about } })
        }
        if (known) return known
        throw new PublisherKeyUnknownError(about, { details: { rule: 'key_unknown', ...about } })
      },
    }
  }

  /** From now on a publisher is who a source, or the first one, says it is; one that is known already stays as it is. */
  async believe(publisher: string, source?: string): Promise<void> {
    const keys = this.#sources.list(publisher, source)
    if (keys.length === 0 || (await this.#isKnown(this.#db, publisher))) return
    await this.#db.transaction(async (trx) => {
      await lockUntilCommit(trx, 'plugins.publishers')
      if (await this.#isKnown(trx, publisher)) return
      await PublisherRow.with(trx).insert(keys.map((key) => ({ ...key, addedBy: null })))
      const after = { source: keys[0]?.source, kids: keys.map(({ kid }) => kid) }
      const entry = { action: 'publisher.believed', target: `publisher:${publisher}`, after }
      await this.#audit.record({ tenantId: 0, actor: null, ...entry }, trx)
    })
  }

  async #isKnown(db: Knex, publisher: string): Promise<boolean> {
    return (await PublisherRow.with(db).findOne({ publisher })) !== undefined
  }

  /** What is believed through a source is trusted as far as that source says by now, and as far as the one that brings the package. */
  #levelOf({ publisher, kid, publicKey, level, believed, source }: PublisherRow, bringer: string | undefined) {
    if (!believed) return level
    const listed = source === null ? [] : this.#sources.list(publisher, source)
    const said = listed.find((key) => key.kid === kid && key.publicKey === publicKey)?.level ?? level
    return bringer === undefined ? said : this.#sources.limit(said, bringer)
  }

  #isRevoked(publisher: string, kid: string, key: KnownKey | undefined, source: string | undefined): boolean {
    return this.#sources.isRevoked({ name: `${publisher}.*`, origins: [source ?? null], key }, kid)
  }
}
