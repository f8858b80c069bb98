import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import { mailDeliveryChanged, type DeliveryChange, type DeliveryChanges } from '../contract.ts'
import type { DeliveryLog, FormerSettings } from './delivery-log.ts'

const kind = 'mail.tell_change'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** About three days, as long as a change is kept. */
const attempts = 75

/** What news stand on. */
interface DeliveryNewsParts {
  readonly scope: Pick<Scope, 'emit'>
  readonly jobs: Jobs
  readonly changes: DeliveryLog
}

/** Has the queue tell of changes of delivery, until everybody on one host has heard. */
export class DeliveryNews implements DeliveryChanges {
  readonly #parts: DeliveryNewsParts

  constructor(parts: DeliveryNewsParts) {
    this.#parts = parts
  }

  get kind(): JobKind<DeliveryChange> {
    return {
      ...{ kind, attempts, keepSeconds: 0 },
      backoff: (attempt) => Math.min(2 ** (attempt - 1) * minuteMs, hourMs),
      run: async ({ payload }) => {
        if (!(await this.#parts.scope.emit(mailDeliveryChanged, payload))) throw new Error('Not everybody heard of it')
      },
    }
  }

  /** Writes a change down with the settings before it, where there were any; told once that holds. */
  async record(change: Omit<DeliveryChange, 'id'>, trx: Knex.Transaction, former?: FormerSettings): Promise<void> {
    const { jobs, changes } = this.#parts
    const told = await changes.add(change, former, trx)
    await jobs.enqueue(trx, kind, told, { tenant: change.tenantId })
  }
}
