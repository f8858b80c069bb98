import type { Knex } from 'knex'
import type { AiSpending, QuotaStanding, SpendingFilter } from '../contract.ts'
import { readFullness } from '../holds/fullness.ts'
import type { Rates } from '../holds/rates.ts'
import { QuotaRow } from '../quotas/quota-model.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { readSums } from '../usage/read-sums.ts'
import { recordedIn } from '../usage/recorded-in.ts'

const most = 1_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const daysBefore = 7

/** What is spent, for whoever watches over it. */
export class Spending implements AiSpending {
  readonly #db: Knex
  readonly #table: Pick<QuotaTable, 'list'>
  readonly #rates: Pick<Rates, 'fullest'>

  constructor(db: Knex, table: Pick<QuotaTable, 'list'>, rates: Pick<Rates, 'fullest'>) {
    this.#rates = rates
    this.#db = db
    this.#table = table
  }

  async quotas(tenantId?: number, quotaId?: string): Promise<readonly QuotaStanding[]> {
    const known = await this.#table.list(tenantId)
    const meant = quotaId === undefined ? known : known.filter(({ id }) => id === quotaId)
    const quotas = await readFullness(this.#db, this.#rates, meant)
    return quotas
      .map(({ quota: { id, name, tenantId: owner, metric }, ratio }): QuotaStanding => {
        return { quotaId: id, name, tenantId: owner, metric, ratio }
      })
      .toSorted((a, b) => b.ratio - a.ratio)
      .slice(0, most)
  }

  async hasQuota(quotaId: string, tenantId?: number): Promise<boolean> {
    const query = tenantId === undefined ? QuotaRow.acrossTenants(this.#db) : QuotaRow.of(tenantId, this.#db)
    return (await query.findById(quotaId).select('id')) !== undefined
  }

  recordedIn(conversation: Parameters<AiSpending['recordedIn']>[0]) {
    return recordedIn(this.#db, conversation)
  }

  async costRate({ tenantId, modelId, providerId }: SpendingFilter) {
    const filter = {
      ...(tenantId !== undefined && { tenant_id: tenantId }),
      ...(modelId !== undefined && { model_id: modelId }),
      ...(providerId !== undefined && { provider_id: providerId }),
    }
    const now = Date.now()
    const last = now - hourMs
    // Whole hours, which are summed already.
    const end = Math.floor(last / hourMs) * hourMs
    const costs = async (...edges: readonly number[]): Promise<readonly number[]> => {
      const rows = await readSums(this.#db, { edges: edges.map((edge) => new Date(edge)), filter, groupBy: [] })
      return rows.map((row) => Number(row['cost_nano'] ?? 0))
    }
    const [lastHour = 0] = await costs(last, now)
    const days = Array.from({ length: daysBefore + 1 }, (_, day) => end - (daysBefore - day) * dayMs)
    const used = (await costs(...days)).filter((cost) => cost > 0)
    const sum = used.reduce((all, cost) => all + cost, 0)
    return { lastHour, usual: used.length === 0 ? null : sum / used.length / 24 }
  }
}
