import type { Knex } from 'knex'
import { ExpiringMap } from '#kernel'
import { SystemConfigValue } from '../models.ts'

/** One tenant's own values, or the platform's, by the id of the item. */
export type ValueRows = ReadonlyMap<number, ValueRow>
/** A stored value. */
export type ValueRow = Pick<SystemConfigValue, 'value' | 'updatedAt' | 'updatedBy'>

const lifetime = 60_000
const mostTenants = 20_000
/** What most tenants have set, once for all of them. */
const noRows: ValueRows = new Map()

/**
 * Keeps what is stored for 60 seconds, a tenant's values in one query; readers at once share it. In this process only: a copy in
 * Redis could be put back, older than a write, by a host that was still reading while another wrote.
 */
export class StoredValues {
  readonly #db: Knex
  readonly #reads = new ExpiringMap<number, Promise<ValueRows>>(mostTenants)

  /** Called for a tenant that has no value of its own; what it writes is read again. */
  onFirstAccess: ((tenantId: number) => Promise<void>) | undefined

  constructor(db: Knex) {
    this.#db = db
  }

  of(tenantId: number): Promise<ValueRows> {
    const known = this.#reads.get(tenantId)
    if (known) return known
    const read = this.#read(tenantId)
    this.#reads.set(tenantId, read, lifetime)
    read.catch(() => this.#reads.deleteWhere((other) => other === read))
    return read
  }

  /** Reads again at the next question; a read in progress is not kept. */
  forget(tenantId: number): void {
    this.#reads.delete(tenantId)
  }

  /** Reads everything again at the next question. */
  forgetAll(): void {
    this.#reads.clear()
  }

  /** Reads these tenants' values, as a change names them, again at the next question. */
  forgetThese(tenants: readonly string[] | 'all'): void {
    if (tenants === 'all') this.forgetAll()
    else for (const id of tenants) this.forget(Number(id))
  }

  async #read(tenantId: number): Promise<ValueRows> {
    const rows = await readValues(this.#db, tenantId)
    if (rows.size > 0 || tenantId === 0 || !this.onFirstAccess) return rows
    await this.onFirstAccess(tenantId)
    return readValues(this.#db, tenantId)
  }
}

/** Reads the values a tenant has set. */
export async function readValues(db: Knex, tenantId: number): Promise<ValueRows> {
  const rows = await SystemConfigValue.of(tenantId, db).select('config_id', 'value', 'updated_at', 'updated_by')
  if (rows.length === 0) return noRows
  return new Map(
    rows.map(({ configId, value, updatedAt, updatedBy }) => [configId, { value, updatedAt, updatedBy }] as const),
  )
}
