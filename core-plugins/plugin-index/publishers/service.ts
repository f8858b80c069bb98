import { createPublicKey } from 'node:crypto'
import {
  lockUntilCommit,
  presentPage,
  requirePermission,
  whatIsGiven,
  wherePeriod,
  type Page,
  type Period,
  type Principal,
} from '#kernel'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import { PublisherKeyInvalidError, PublisherKeyNotFoundError, PublisherKeyTakenError } from '../errors.ts'
import { PublisherRow } from './models.ts'
import { fingerprintOf, presentPublisher } from './present.ts'
import { toTrustFully } from '../to-trust-fully.ts'

/** A key that an administrator trusts. */
type NewPublisher = Pick<PublisherRow, 'publisher' | 'kid' | 'publicKey' | 'level'>

/** Which keys a list shows; what is left out does not matter. */
interface PublisherFilter extends Period {
  readonly publisher?: string
  readonly kid?: string
  readonly level?: PublisherRow['level']
  readonly believed?: boolean
  readonly source?: string
  readonly added_by?: number
}

/** The id of the site's own key, which no publisher may have. */
const siteKid = 'site'

/** The publishers that this site trusts of its own accord. */
export class PublisherService {
  readonly #db: Knex
  readonly #audit: Audit

  constructor(db: Knex, audit: Audit) {
    this.#db = db
    this.#audit = audit
  }

  /** A page of trusted keys; the search looks at publishers. */
  async list(page: Page, { publisher, kid, level, believed, source, added_by, from, to }: PublisherFilter) {
    const wanted = whatIsGiven<string | number | boolean>({ publisher, kid, level, believed, source, added_by })
    const query = PublisherRow.with(this.#db).where(wanted)
    wherePeriod(query, 'created_at', { from, to })
    if (page.pattern !== undefined) void query.whereILike('publisher', page.pattern)
    const total = await query.clone().resultSize()
    const rows = await query
      .orderBy([...page.sort])
      .limit(page.size)
      .offset(page.offset)
    return presentPage(page, total, rows.map(presentPublisher))
  }

  /** Trusts a key from now on; what was installed before stays as far trusted as it was. */
  async create(publisher: NewPublisher, actor: Principal) {
    // What is official runs with fewer walls around it.
    if (publisher.level === 'official') requirePermission(actor, toTrustFully)
    if (publisher.kid === siteKid || !isPublicKey(publisher.publicKey)) throw new PublisherKeyInvalidError()
    const row = await this.#db.transaction(async (trx) => {
      await lockUntilCommit(trx, 'plugins.publishers')
      const { publisher: name, kid } = publisher
      const known = await PublisherRow.with(trx).findOne({ publisher: name, kid })
      // What was only believed so far has an administrator's word from now on.
      const isConfirmed = known?.believed === true && known.publicKey === publisher.publicKey
      if (known && !isConfirmed) throw new PublisherKeyTakenError(publisher)
      if (known) await PublisherRow.with(trx).deleteById(known.id)
      const source = known?.source ?? null
      const made = await PublisherRow.with(trx).insertAndFetch({ ...publisher, source, addedBy: actor.userId })
      await this.#record(trx, actor, 'publisher.trusted', made, { after: describe(made) })
      return made
    })
    return presentPublisher(row)
  }

  /** Trusts a key no longer; what was installed with it goes on running. */
  async delete(id: number, actor: Principal): Promise<void> {
    await this.#db.transaction(async (trx) => {
      const row = await PublisherRow.with(trx).findById(id)
      if (!row) throw new PublisherKeyNotFoundError()
      await PublisherRow.with(trx).deleteById(id)
      await this.#record(trx, actor, 'publisher.distrusted', row, { before: describe(row) })
    })
  }

  async #record(
    trx: Knex.Transaction,
    actor: Principal,
    action: string,
    { publisher, kid }: PublisherRow,
    change: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    await this.#audit.record({ tenantId: 0, actor, action, target: `publisher:${publisher}/${kid}`, ...change }, trx)
  }
}

function describe({ publisher, kid, publicKey, level }: PublisherRow) {
  return { publisher, kid, level, fingerprint: fingerprintOf(publicKey) }
}

/** 32 bytes in their one spelling that are a point of the curve, as far as the crypto library tells. */
function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return false
  try {
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}
