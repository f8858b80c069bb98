import type { Knex } from 'knex'
import { tenantContext } from '../data/tenant-context.ts'

/** One request under an Idempotency-Key. */
export interface IdempotencyClaim {
  readonly tenantId: number
  readonly userId: number
  readonly route: string
  readonly key: string
  readonly fingerprint: string
}

/** What is known of the request that took a key first; `isLost` when its host has gone without an answer. */
export interface EarlierRequest {
  readonly fingerprint: string
  readonly answer: string | undefined
  readonly isLost: boolean
}

interface Row {
  readonly fingerprint: string
  readonly answer: string | null
  readonly is_lost: boolean
}

const table = 'idempotency_keys'
const sweepMilliseconds = 10 * 60 * 1000
/** A host that runs a request renews three times in the time for which it vouches. */
const leaseSeconds = 30
/** Rows of hosts from before there were leases are taken for running as long as those hosts take them for it. */
const isLost = `coalesce(leased_until, created_at + interval '10 minutes') < now()`

/**
 * Keeps keys and answers for 24 h in the database, because what lives only in the cache may be lost at any time. A key that
 * is taken is not given to another request before its day is over, whatever becomes of its host.
 */
export class IdempotencyStore {
  readonly #db: Knex
  #sweptAt = 0

  constructor(db: Knex) {
    this.#db = db
  }

  /** Takes the key, or tells what is known of the request that took it. */
  async claim(claim: IdempotencyClaim): Promise<EarlierRequest | undefined> {
    await this.#sweep()
    const { tenantId: tenant_id, userId: user_id, route, key, fingerprint } = claim
    const taken = await this.#rows(claim)
      .insert({ tenant_id, user_id, route, key, fingerprint, leased_until: this.#lease() })
      .onConflict(['tenant_id', 'user_id', 'route', 'key'])
      .merge(['fingerprint', 'answer', 'created_at', 'leased_until'])
      .where(this.#isOver())
      .returning<unknown[]>('key')
    if (taken.length > 0) return undefined
    const row = await this.#row(claim).first<Row | undefined>(
      'fingerprint',
      'answer',
      this.#db.raw(`${isLost} as is_lost`),
    )
    // Given back between the two statements: the next attempt finds it free.
    if (!row) return { fingerprint, answer: undefined, isLost: false }
    return { fingerprint: row.fingerprint, answer: row.answer ?? undefined, isLost: row.is_lost }
  }

  /** Vouches for a request as long as it runs here; a renewal that fails is made up for by the next one. */
  vouch(claim: IdempotencyClaim): Disposable {
    const renew = (): void => {
      this.#row(claim)
        .update({ leased_until: this.#lease() })
        .then(undefined, () => undefined)
    }
    const timer = setInterval(renew, (leaseSeconds * 1000) / 3).unref()
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }

  /** Keeps the answer. */
  async settle(claim: IdempotencyClaim, answer: string): Promise<void> {
    await this.#row(claim).update({ answer })
  }

  /** Gives the key back: the request may be tried again. */
  async release(claim: IdempotencyClaim): Promise<void> {
    await this.#row(claim).delete()
  }

  async #sweep(): Promise<void> {
    const now = Date.now()
    if (now - this.#sweptAt < sweepMilliseconds) return
    this.#sweptAt = now
    await this.#db(table).queryContext(tenantContext('all')).where(this.#isOver()).delete()
  }

  #lease(): Knex.Raw {
    return this.#db.raw(`now() + interval '${leaseSeconds} seconds'`)
  }

  #isOver(): Knex.Raw {
    return this.#db.raw(`${table}.created_at < now() - interval '24 hours'`)
  }

  #rows({ tenantId }: IdempotencyClaim): Knex.QueryBuilder {
    return this.#db(table).queryContext(tenantContext(tenantId))
  }

  #row(claim: IdempotencyClaim): Knex.QueryBuilder {
    const { tenantId: tenant_id, userId: user_id, route, key } = claim
    return this.#rows(claim).where({ tenant_id, user_id, route, key })
  }
}
