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

interface Row {
  readonly fingerprint: string
  readonly answer: string | null
}

const table = 'idempotency_keys'
const sweepMilliseconds = 10 * 60 * 1000

/** Keeps answers for 24 h in the database, because what lives only in the cache may be lost at any time. */
export class IdempotencyStore {
  readonly #db: Knex
  #sweptAt = 0

  constructor(db: Knex) {
    this.#db = db
  }

  /** Takes the key, or tells what was asked and answered under it; `answer` is absent while the first request runs. */
  async claim(claim: IdempotencyClaim): Promise<{ fingerprint: string; answer: string | undefined } | undefined> {
    await this.#sweep()
    const { tenantId: tenant_id, userId: user_id, route, key, fingerprint } = claim
    const taken = await this.#rows(claim)
      .insert({ tenant_id, user_id, route, key, fingerprint })
      .onConflict(['tenant_id', 'user_id', 'route', 'key'])
      .merge(['fingerprint', 'answer', 'created_at'])
      // A key past its day is free again, and so is one whose host died with the request.
      .where(this.#isOver())
      .returning<unknown[]>('key')
    if (taken.length > 0) return undefined
    const row = await this.#row(claim).first<Row | undefined>('fingerprint', 'answer')
    return { fingerprint: row?.fingerprint ?? fingerprint, answer: row?.answer ?? undefined }
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

  #isOver(): Knex.Raw {
    return this.#db.raw(
      `${table}.created_at < now() - case when ${table}.answer is null then interval '10 minutes' else interval '24 hours' end`,
    )
  }

  #rows({ tenantId }: IdempotencyClaim): Knex.QueryBuilder {
    return this.#db(table).queryContext(tenantContext(tenantId))
  }

  #row(claim: IdempotencyClaim): Knex.QueryBuilder {
    const { tenantId: tenant_id, userId: user_id, route, key } = claim
    return this.#rows(claim).where({ tenant_id, user_id, route, key })
  }
}
