import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import { mailDeliveryChanged, type DeliveryChanges } from '../contract.ts'
import type { DeliveryLog } from './delivery-log.ts'

/** Tells of changes of delivery once they hold, until everybody here has heard. */
export class DeliveryNews implements DeliveryChanges {
  readonly #scope: Pick<Scope, 'emit' | 'log'>
  readonly #changes: DeliveryLog

  constructor(scope: Pick<Scope, 'emit' | 'log'>, changes: DeliveryLog) {
    this.#scope = scope
    this.#changes = changes
  }

  async record(...[change, trx]: Parameters<DeliveryChanges['record']>): Promise<void> {
    await this.#changes.add(change, undefined, trx)
    this.tellAfter(trx)
  }

  /** Tells soon after a transaction; what does not get through is told on the timer. */
  tellAfter(trx: Knex.Transaction): void {
    trx.executionPromise
      .then(() => this.tell())
      .catch((error: unknown) => this.#scope.log.warn({ err: error }, 'a change of delivery is told of later'))
  }

  /** Tells of every change that nobody was told of. */
  async tell(): Promise<void> {
    for (const change of await this.#changes.claimUntold()) {
      if (await this.#scope.emit(mailDeliveryChanged, change)) await this.#changes.markTold(change)
    }
  }
}
