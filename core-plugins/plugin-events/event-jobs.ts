import type { Knex } from 'knex'
import type { JobKind, JobOptions, Jobs } from '../jobs/contract.ts'

/** Delivers the events of one plugin and tenant, one after the other. */
export const deliverKind = 'plugin_events.deliver'
const queuedKind = 'plugin_events.queued'

/** What a job that delivers knows. */
export interface DeliverPayload {
  readonly pluginId: number
}

interface QueuedPayload {
  readonly pluginIds: readonly number[]
}

/** Has the queue of jobs deliver events: one job for each plugin and tenant of which some wait. */
export class EventJobs {
  readonly #db: Knex
  readonly #jobs: Jobs

  constructor(db: Knex, jobs: Jobs) {
    this.#db = db
    this.#jobs = jobs
  }

  /**
   * Has events delivered that a short transaction queues; until it ends nobody else adds for the same plugin and tenant, and no
   * removal of the plugin begins. Nothing is queued for a plugin that is being removed or gone: nobody would ever run it.
   */
  async deliver(trx: Knex.Transaction, pluginIds: readonly number[], tenantIds: readonly number[]): Promise<void> {
    const of = (pluginId: number, tenant: number): JobOptions & { readonly payload: DeliverPayload } => {
      const name = String(pluginId)
      return { payload: { pluginId }, tenant, key: name, dedupe: name, group: name }
    }
    const there = await trx('plugins')
      .whereIn('id', [...pluginIds])
      .where({ removing: false })
      .orderBy('id')
      .forShare()
      .pluck<number[]>('id')
    const jobs = tenantIds.flatMap((tenant) => there.map((id) => of(id, tenant)))
    if (jobs.length > 0) await this.#jobs.enqueueAll(trx, deliverKind, jobs)
  }

  /** The same for a transaction of somebody else, which holds nobody up: whatever it goes on to do, no key is held meanwhile. */
  async deliverAfter(trx: Knex.Transaction, pluginIds: readonly number[], tenant: number): Promise<void> {
    await this.#jobs.enqueue(trx, queuedKind, { pluginIds } satisfies QueuedPayload, { tenant })
  }

  /** What the queue does once such a transaction holds. */
  get queued(): JobKind<QueuedPayload> {
    return {
      ...{ kind: queuedKind, keepSeconds: 0, attempts: Infinity, backoff: backoffOf },
      run: ({ payload, tenantId }) => this.#db.transaction((trx) => this.deliver(trx, payload.pluginIds, [tenantId])),
    }
  }

  /** What waits for a plugin may be tried at once. */
  async hurry(trx: Knex.Transaction, pluginId: number): Promise<void> {
    await this.#jobs.hurryGroup(trx, deliverKind, String(pluginId))
  }

  /** Nothing of a plugin is delivered any more. */
  async withdraw(trx: Knex.Transaction, pluginId: number): Promise<void> {
    await this.#jobs.withdrawGroup(trx, deliverKind, String(pluginId))
  }
}

/** Milliseconds until a job is tried again that the database, or this host, could not do; never given up. */
export function backoffOf(attempt: number): number {
  return Math.min(2 ** Math.min(attempt, 6), 60) * 1_000
}
