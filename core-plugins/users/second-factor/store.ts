import type { Knex } from 'knex'
import { RecoveryCode, SecondFactor } from './models.ts'

/** The rows of second factors; each way of using a code up is one statement, so that of parallel tries one wins. */
export class SecondFactorStore {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async find(tenantId: number, userId: number, db: Knex = this.#db): Promise<SecondFactor | undefined> {
    return SecondFactor.of(tenantId, db).findOne({ user_id: userId })
  }

  /** Keeps a secret that waits for its first code, in place of one that waited before. */
  async putPending(tenantId: number, userId: number, secret: string, trx: Knex.Transaction): Promise<void> {
    await SecondFactor.of(tenantId, trx)
      .insert({ userId, secret, confirmedAt: null, lastStep: 0, createdAt: new Date() })
      .onConflict(['tenant_id', 'user_id'])
      .merge()
  }

  async confirm(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    await SecondFactor.of(tenantId, trx).patch({ confirmedAt: new Date() }).where({ user_id: userId })
  }

  /** Whether the step is later than every one that was taken; then it is taken. */
  async takeStep(tenantId: number, userId: number, step: number, db: Knex = this.#db): Promise<boolean> {
    const taken = await SecondFactor.of(tenantId, db)
      .patch({ lastStep: step })
      .where({ user_id: userId })
      .where('last_step', '<', step)
    return taken === 1
  }

  async takeRecoveryCode(tenantId: number, userId: number, codeHash: string, db: Knex = this.#db): Promise<boolean> {
    return (await RecoveryCode.of(tenantId, db).delete().where({ user_id: userId, code_hash: codeHash })) === 1
  }

  async hasRecoveryCodes(tenantId: number, userId: number): Promise<boolean> {
    return (await RecoveryCode.of(tenantId, this.#db).findOne({ user_id: userId })) !== undefined
  }

  async putRecoveryCodes(
    tenantId: number,
    userId: number,
    hashes: readonly string[],
    trx: Knex.Transaction,
  ): Promise<void> {
    await RecoveryCode.of(tenantId, trx).delete().where({ user_id: userId })
    await RecoveryCode.of(tenantId, trx).insert(hashes.map((codeHash) => ({ userId, codeHash })))
  }

  async delete(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    await RecoveryCode.of(tenantId, trx).delete().where({ user_id: userId })
    await SecondFactor.of(tenantId, trx).delete().where({ user_id: userId })
  }
}
