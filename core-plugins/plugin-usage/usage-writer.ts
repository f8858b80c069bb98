import type { Metering } from '#sandbox'
import type { Knex } from 'knex'
import { hourOf, PendingUsage } from './pending-usage.ts'
import { writeFailures, writeGauges, writeUsage } from './usage-rows.ts'

/** What a writer stands on. */
interface UsageWriterParts {
  readonly db: Knex
  readonly hostId: string
  readonly metering: Metering
}

/** Brings what this process counted into the database, where all hosts' sums meet and a restart loses nothing. */
export class UsageWriter {
  readonly #parts: UsageWriterParts
  readonly #pending = new PendingUsage()
  #last: Promise<void> = Promise.resolve()

  constructor(parts: UsageWriterParts) {
    this.#parts = parts
  }

  /** Writes what changed; what cannot be written waits for the next time. */
  flush(): Promise<void> {
    const flushed = this.#last.catch(() => undefined).then(() => this.#write())
    this.#last = flushed
    return flushed
  }

  /** Forgets a tenant that is gone, once what is being written is written. */
  async forgetTenant(tenantId: number): Promise<void> {
    this.#parts.metering.forgetTenant(tenantId)
    this.#pending.forgetTenant(tenantId)
    await this.#last.catch(() => undefined)
    this.#pending.forgetTenant(tenantId)
  }

  async #write(): Promise<void> {
    const { db, hostId, metering } = this.#parts
    const hour = hourOf(Date.now()).toISOString()
    this.#pending.add(
      metering.takeChanges().map((entry) => ({ ...entry, hour })),
      metering.takeFailures(),
    )
    const { usage, failures } = this.#pending.take()
    if (usage.length === 0 && failures.length === 0) return
    const names = new Set([...usage, ...failures].map(({ plugin }) => plugin))
    try {
      await db.transaction(async (trx) => {
        const ids = await lockPlugins(trx, [...names])
        await writeUsage(trx, usage, ids)
        await writeFailures(trx, failures, ids, hostId)
        await writeGauges(trx, metering.gauges(), ids, hostId)
      })
    } catch (error) {
      this.#pending.add(usage, failures)
      throw error
    }
  }
}

/** The plugins that are still installed. An uninstall holds the row first and the usage after it: so does this, or they would wait for each other. */
async function lockPlugins(trx: Knex.Transaction, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await trx<{ id: number; name: string }>('plugins')
    .whereIn('name', [...names])
    .orderBy('id')
    .forKeyShare()
    .select('id', 'name')
  return new Map(rows.map(({ id, name }) => [name, id]))
}
