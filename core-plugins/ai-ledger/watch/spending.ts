import type { Knex } from 'knex'
import type { AiSpending, QuotaStanding, SpendingFilter } from '../contract.ts'
import { readFullness } from '../holds/fullness.ts'
import type { Rates } from '../holds/rates.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { readSums } from '../usage/read-sums.ts'

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

  async quotas(tenantId?: number): Promise<readonly QuotaStanding[]> {
    const quotas = await readFullness(this.#db, this.#rates, await this.#table.list(tenantId))
    return quotas
      .map(({ quota: { id, name, tenantId: owner, metric }, ratio }): QuotaStanding => {
        return { quotaId: id, name, tenantId: owner, metric, ratio }
      })
      .toSorted((a, b) => b.ratio - a.ratio)
      .slice(0, most)
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
    const costs = async (from: number, to: number) => {
      const [row] = await readSums(this.#db, { edges: [new Date(from), new Date(to)], filter, groupBy: [] })
      return Number(row?.['cost_nano'] ?? 0)
    }
    const days = Array.from({ length: daysBefore }, (_, day) => end - (day + 1) * dayMs)
    const [lastHour, ...before] = await Promise.all([
      costs(last, now),
      ...days.map((from) => costs(from, from + dayMs)),
    ])
    const used = before.filter((cost) => cost > 0)
    const sum = used.reduce((all, cost) => all + cost, 0)
    return { lastHour: lastHour ?? 0, usual: used.length === 0 ? null : sum / used.length / 24 }
  }
}
