import { raw } from 'objection'
import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import { configChanged, type ConfigScope } from '../contract.ts'
import type { Effects } from '../extensions/effects.ts'
import { ChangeRequest, OutboxRow } from '../models.ts'

/** Values that changed, and the request they came from if there was one. */
export interface Occurrence {
  readonly tenantId: number
  readonly group: string
  readonly scope: ConfigScope
  readonly keys: readonly string[]
  readonly requestId: number | null
}

/** Tells everybody that values changed; it follows every change. */
export type Announce = (occurrence: Occurrence) => Promise<void>

/** The effect that tells everybody, which needs no registration. */
const announcement = 'announce'
/** How long whoever takes a row has to finish it before another may. */
const leaseSeconds = 30
const batch = 20
/** With waits that double up to an hour, about half a day. */
const mostAttempts = 20

/** What must happen after values changed: written with them in one transaction, tried until it succeeds. */
export class Outbox {
  readonly #scope: Scope
  readonly #effects: Effects
  readonly #announce: Announce

  constructor(scope: Scope, effects: Effects, announce: Announce) {
    this.#scope = scope
    this.#effects = effects
    this.#announce = announce
  }

  /** Writes down what follows a change; the writer's to `deliver` once the transaction holds. */
  async add(trx: Knex.Transaction, { tenantId, group, ...rest }: Occurrence): Promise<readonly OutboxRow[]> {
    // Who hears of it for good is told with the change, and everybody else by the row.
    await this.#scope.emitWithin(trx, configChanged, { scope: rest.scope, group, keys: rest.keys, tenantId })
    const dueAt = after(leaseSeconds)
    const rows = [announcement, ...this.#effects.namesFor(rest.keys)].map((effect) => {
      return { effect, groupCode: group, ...rest, dueAt }
    })
    return OutboxRow.of(tenantId, trx).insert(rows).returning('*')
  }

  /** Makes rows happen, one after the other; what fails stays for later. */
  async deliver(rows: readonly OutboxRow[]): Promise<void> {
    for (const row of rows) {
      try {
        await this.#run(row)
        await this.#finish(row)
      } catch (error) {
        await this.#postpone(row, error)
      }
    }
  }

  /** Takes what is due, of every host, and makes it happen. */
  async sweep(): Promise<void> {
    for (let rows = await this.#take(); rows.length > 0; rows = await this.#take()) await this.deliver(rows)
  }

  async #take(): Promise<readonly OutboxRow[]> {
    return this.#scope.db.transaction(async (trx) => {
      const due = OutboxRow.acrossTenants(trx).where('due_at', '<=', raw('now()')).orderBy('id').limit(batch)
      const rows = await due.forUpdate().skipLocked()
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0)
        await OutboxRow.acrossTenants(trx)
          .whereIn('id', ids)
          .patch({ dueAt: after(leaseSeconds) })
      return rows
    })
  }

  async #run({ effect, tenantId, groupCode: group, scope, keys, requestId }: OutboxRow): Promise<void> {
    if (effect === announcement) return this.#announce({ tenantId, group, scope, keys, requestId })
    const found = this.#effects.find(effect)
    if (!found) throw new Error(`nobody registers the effect ${effect}`)
    await found.run({ tenantId, group, keys })
  }

  async #finish({ id, tenantId, requestId }: OutboxRow): Promise<void> {
    const { db } = this.#scope
    await OutboxRow.of(tenantId, db).deleteById(id)
    if (requestId === null) return
    const left = await OutboxRow.of(tenantId, db).where('request_id', requestId).resultSize()
    if (left > 0) return
    await ChangeRequest.of(tenantId, db).where({ id: requestId, state: 'approved' }).patch({ state: 'applied' })
  }

  async #postpone({ id, tenantId, effect, attempts }: OutboxRow, error: unknown): Promise<void> {
    const { log, db } = this.#scope
    const row = { effect, tenantId, attempts: attempts + 1 }
    if (attempts + 1 >= mostAttempts) {
      log.error({ err: error, ...row }, 'what follows a change of configuration is given up')
      await OutboxRow.of(tenantId, db).deleteById(id)
      return
    }
    log.warn({ err: error, ...row }, 'what follows a change of configuration failed and is tried again')
    const lastError = error instanceof Error ? error.message.slice(0, 500) : 'failed'
    const patch = { attempts: attempts + 1, lastError, dueAt: after(Math.min(2 ** attempts, 3600)) }
    await OutboxRow.of(tenantId, db).where({ id }).patch(patch)
  }
}

/** A moment by the database's clock, which all hosts share. */
function after(seconds: number): Date {
  return raw('now() + make_interval(secs => ?)', seconds) as unknown as Date
}
