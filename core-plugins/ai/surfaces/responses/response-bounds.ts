import type { Knex } from 'knex'

/** What a key keeps at the most: beyond it the oldest are forgotten. */
const keyRows = 10_000
const keyBytes = 256 * 1024 * 1024
/** The same of all keys of a tenant. */
const tenantBytes = 1024 * 1024 * 1024
/** A key's bound is looked at after so many more, or so many bytes more, on a host: it may be passed by that. */
const lookedAtRows = 32
const lookedAtBytes = 16 * 1024 * 1024
const keysAtOnce = 10_000
const forgottenAtOnce = 200
const everybody = { tenant: 'all' } as const

interface Added {
  rows: number
  bytes: number
}

/** Forgets kept conversations that are too old, and the oldest of those who keep too much. */
export class ResponseBounds {
  readonly #db: Knex
  readonly #added = new Map<string, Added>()

  constructor(db: Knex) {
    this.#db = db
  }

  /** A key keeps one more. */
  async added(tenantId: number, keyId: string, bytes: number): Promise<void> {
    const added = this.#added.get(keyId) ?? { rows: lookedAtRows, bytes: 0 }
    added.rows += 1
    added.bytes += bytes
    if (this.#added.size >= keysAtOnce) this.#added.clear()
    this.#added.set(keyId, added)
    if (added.rows < lookedAtRows && added.bytes < lookedAtBytes) return
    Object.assign(added, { rows: 0, bytes: 0 })
    await this.#trim({ tenant_id: tenantId, key_id: keyId }, { rows: keyRows, bytes: keyBytes })
  }

  /** Forgets what is too old, some at a time; of several hosts each takes others. */
  async sweep(): Promise<void> {
    let count = forgottenAtOnce
    while (count === forgottenAtOnce) {
      const over = this.#db('ai_responses')
        .queryContext(everybody)
        .where('expires_at', '<', this.#db.fn.now())
        .limit(forgottenAtOnce)
        .forUpdate()
        .skipLocked()
        .select('id')
      count = await this.#db('ai_responses').queryContext(everybody).whereIn('id', over).delete()
    }
  }

  /** Forgets the oldest of tenants who keep too much. */
  async sweepTenants(): Promise<void> {
    const tenants = await this.#db('ai_responses')
      .queryContext(everybody)
      .groupBy('tenant_id')
      .havingRaw('sum(bytes) > ?', [tenantBytes])
      .pluck<number[]>('tenant_id')
    for (const tenant of tenants) await this.#trim({ tenant_id: tenant }, { rows: 2_147_483_647, bytes: tenantBytes })
  }

  /** Keeps the newest that fit, and always the last one. */
  async #trim(
    of: { readonly tenant_id: number; readonly key_id?: string },
    { rows, bytes }: { readonly rows: number; readonly bytes: number },
  ): Promise<void> {
    const columns = Object.keys(of)
    await this.#db
      .raw(
        `delete from ai_responses where id in (
           select id from (
             select id, row_number() over newest as place, sum(bytes) over newest as total
               from ai_responses where ${columns.map((column) => `${column} = ?`).join(' and ')}
             window newest as (order by created_at desc, id desc)) as each
            where place > 1 and (place > ? or total > ?))`,
        [...Object.values(of), rows, bytes],
      )
      .queryContext({ tenant: of.tenant_id })
  }
}
