import type { Knex } from 'knex'
import { KnownDevice, LoginFailure } from './sign-in/models.ts'
import { AuthSession } from './sessions/models.ts'

/** Deletes what is kept of users and tenants who are gone. */
export class Erasure {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async forgetUser(tenantId: number, userId: number): Promise<void> {
    await AuthSession.of(tenantId, this.#db).delete().where('user_id', userId)
    await KnownDevice.of(tenantId, this.#db).delete().where('user_id', userId)
  }

  async forgetTenant(tenantId: number): Promise<void> {
    await AuthSession.of(tenantId, this.#db).delete()
    await KnownDevice.of(tenantId, this.#db).delete()
    await LoginFailure.of(tenantId, this.#db).delete()
  }
}
