import type { Knex } from 'knex'
import { presentPage, type Page, type TenantResolver } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { MarkupNotFoundError } from '../errors.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { MarkupRow } from '../tables.ts'

/** What markups stand on. */
interface MarkupParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
}

/** What tenants pay for the platform's models. */
export class MarkupService {
  readonly #parts: MarkupParts

  constructor(parts: MarkupParts) {
    this.#parts = parts
  }

  async list(page: Page) {
    const query = MarkupRow.acrossTenants(this.#parts.db)
    const { results, total } = await query
      .orderBy([...page.sort, { column: 'tenant_id' }])
      .page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentMarkup))
  }

  /** Sets what a tenant pays from now on; throws 422/4229 for a tenant that there is not. */
  async set(tenantId: number, factor: string, writer: Writer) {
    const { db, tenants } = this.#parts
    if (!(await tenants.byId(tenantId))) refuseFaults([faultOf('tenant_id', 'unknown', 'There is no such tenant')])
    return db.transaction(async (trx) => {
      const before = await MarkupRow.of(tenantId, trx).findById(tenantId)
      const row = { factor, updatedAt: new Date() }
      await MarkupRow.of(tenantId, trx).insert(row).onConflict('tenant_id').merge()
      await this.#record(trx, tenantId, writer, { before: before?.factor ?? null, after: factor })
      return presentMarkup(await MarkupRow.of(tenantId, trx).findById(tenantId).throwIfNotFound())
    })
  }

  /** From now on the tenant pays what the models cost; throws 404/4040. */
  async delete(tenantId: number, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const before = await MarkupRow.of(tenantId, trx).findById(tenantId).forUpdate()
      if (!before) throw new MarkupNotFoundError()
      await MarkupRow.of(tenantId, trx).deleteById(tenantId)
      await this.#record(trx, tenantId, writer, { before: before.factor, after: null })
    })
  }

  async #record(
    trx: Knex.Transaction,
    tenantId: number,
    { principal: actor, state }: Writer,
    { before, after }: { readonly before: string | null; readonly after: string | null },
  ): Promise<void> {
    const about = { tenantId: 0, actor, traceId: state.traceId, target: `ai_markup:${String(tenantId)}` }
    const facts = { before: { factor: before }, after: { factor: after } }
    await this.#parts.audit.record({ ...about, ...facts, action: 'ai_markup.updated' }, trx)
  }
}

function presentMarkup({ tenantId, factor, updatedAt }: MarkupRow) {
  return { tenant_id: tenantId, factor, updated_at: updatedAt.toISOString() }
}
