import type { Knex } from 'knex'
import type { NeutralMessage } from '../../wire/neutral.ts'
import type { SurfaceKey } from '../ports.ts'
import type { ResponseBounds } from './response-bounds.ts'

/** As long as clients may go on with a response. */
const keptDays = 30

interface Row {
  readonly messages: string
}

/** Keeps conversations for `previous_response_id`: for the key that began them, and nobody else. */
export class ResponseStore {
  readonly #db: Knex
  readonly #bounds: Pick<ResponseBounds, 'added'>

  constructor(db: Knex, bounds: Pick<ResponseBounds, 'added'>) {
    this.#db = db
    this.#bounds = bounds
  }

  /** What was said up to a response and in it; undefined for one that is not kept, is too old or another key's. */
  async find(id: string, { id: keyId, tenantId }: SurfaceKey): Promise<readonly NeutralMessage[] | undefined> {
    const row = await this.#rows(tenantId)
      .where({ id, key_id: keyId })
      .andWhere('expires_at', '>', this.#db.fn.now())
      .first<Row | undefined>('messages')
    return row && (JSON.parse(row.messages) as readonly NeutralMessage[])
  }

  /** Keeps one more; of a key that keeps too much the oldest is forgotten. */
  async keep(id: string, key: SurfaceKey, messages: readonly NeutralMessage[]): Promise<void> {
    const { id: keyId, tenantId, userId } = key
    const expiresAt = new Date(Date.now() + keptDays * 86_400_000)
    const text = JSON.stringify(messages)
    const bytes = Buffer.byteLength(text)
    const whose = { tenant_id: tenantId, key_id: keyId, user_id: userId ?? null }
    await this.#rows(tenantId).insert({ id, ...whose, messages: text, bytes, expires_at: expiresAt })
    await this.#bounds.added(tenantId, keyId, bytes)
  }

  #rows(tenant: number): Knex.QueryBuilder {
    return this.#db('ai_responses').queryContext({ tenant })
  }
}
