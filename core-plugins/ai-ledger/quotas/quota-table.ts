import type { Knex } from 'knex'
import type { Bus } from '#kernel'
import { hearWords } from '../hear-words.ts'
import type { Quota } from './quota.ts'
import { QuotaRow, quotaOf } from './quota-model.ts'

const channel = 'ai_ledger.quotas'

/** Every active quota, in memory; read anew when one changes: on this host before the answer, on others at once by the bus. */
export class QuotaTable {
  readonly #db: Knex
  readonly #bus: Bus
  #byTenant: ReadonlyMap<number, readonly Quota[]> = new Map()
  #byId: ReadonlyMap<string, Quota> = new Map()
  #loading: Promise<void> | undefined
  #isStale = true

  constructor(db: Knex, bus: Bus) {
    this.#db = db
    this.#bus = bus
  }

  /** Hears other hosts until disposed. */
  listen(): Disposable {
    return hearWords(this.#bus, channel, () => this.forget())
  }

  /** Those of a tenant and of the platform, by id; waits where they are read for the first time, or anew. */
  async of(tenantId: number): Promise<readonly Quota[]> {
    if (this.#isStale || this.#loading) await this.refresh()
    const [platforms = [], own = []] = [this.#byTenant.get(0), tenantId === 0 ? [] : this.#byTenant.get(tenantId)]
    return own.length === 0 ? platforms : [...platforms, ...own]
  }

  /** One of those that are known at the moment. */
  find(id: string): Quota | undefined {
    return this.#byId.get(id)
  }

  /** Every one of a tenant, or of all. */
  async list(tenantId?: number): Promise<readonly Quota[]> {
    if (this.#isStale) await this.refresh()
    return tenantId === undefined ? [...this.#byId.values()] : (this.#byTenant.get(tenantId) ?? [])
  }

  /** They were changed on this host. */
  async wrote(): Promise<void> {
    this.forget()
    await this.#bus.publish(channel, {})
  }

  /** They changed: whoever asks next waits for the new ones. */
  forget(): void {
    this.#isStale = true
  }

  /** Reads them; who asks while that is under way waits for the reading after it, which has what changed meanwhile. */
  refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #load(): Promise<void> {
    do {
      this.#isStale = false
      try {
        const rows = await QuotaRow.acrossTenants(this.#db).where({ status: 'active' })
        const quotas = rows.map(quotaOf)
        this.#byTenant = Map.groupBy(quotas, ({ tenantId }) => tenantId)
        this.#byId = new Map(quotas.map((quota) => [quota.id, quota]))
      } catch (error) {
        this.#isStale = true
        throw error
      }
    } while (this.#isStale)
  }
}
