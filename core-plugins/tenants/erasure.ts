import type { Knex } from 'knex'
import { tenantsDeleted, type Scope } from '#kernel'
import { TenantRow } from './models.ts'

const sweepMilliseconds = 10 * 60_000
// Longer than telling takes: whoever has not finished by then is believed to have died.
const leaseMilliseconds = 15 * 60_000

/** Erases tenants that are gone, as long as the plugin is enabled. */
export function startErasure(scope: Scope): TenantErasure {
  const erasure = scope.use(new TenantErasure(scope))
  scope.every(sweepMilliseconds, () => erasure.sweep())
  return erasure
}

/** Has every plugin delete what it keeps of tenants that are gone: in the background, and again when a process died over it. */
export class TenantErasure implements AsyncDisposable {
  readonly #scope: Scope
  readonly #running = new Set<Promise<void>>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** Begins with a tenant that was deleted a moment ago. */
  begin(tenantId: number): void {
    const work = this.#erase(tenantId)
      .catch((error: unknown) => this.#scope.log.error({ err: error, tenant_id: tenantId }, 'an erasure did not end'))
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  /** Begins anew with tenants whose erasure did not end. */
  async sweep(): Promise<void> {
    const now = new Date()
    const left = await this.#deleted(this.#scope.db)
      .patch({ updatedAt: now })
      .whereNull('erased_at')
      .where('updated_at', '<', new Date(now.getTime() - leaseMilliseconds))
      .returning('id')
    for (const { id } of left as readonly { id: number }[]) await this.#erase(id)
  }

  /** Waits for what is being erased. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }

  /** The row stays, without the name, so that the log and the id go on meaning something. */
  async #erase(tenantId: number): Promise<void> {
    const isGone = await this.#scope.emit(tenantsDeleted, { tenantId })
    // Somebody failed and kept something: everybody is told again at a later sweep.
    if (!isGone) return
    await this.#scope.db.transaction(async (trx) => {
      const gone = { erasedAt: new Date(), name: '' }
      const erased = await this.#deleted(trx).patch(gone).where('id', tenantId).whereNull('erased_at')
      // Once, however often it had to be told.
      if (erased > 0) await this.#scope.emitWithin(trx, tenantsDeleted, { tenantId })
    })
  }

  #deleted(db: Knex) {
    return TenantRow.with(db).where('status', 'deleted')
  }
}
