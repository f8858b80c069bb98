import type { Knex } from 'knex'
import type { Figures } from './figures.ts'

/** What one host counted in one minute for a tenant's calls: of a target, or with an empty one of requests as a whole. */
export interface FigureRow {
  readonly at: Date
  readonly tenant_id: number
  readonly target: string
  /** Provider and upstream model. */
  readonly key: string
  readonly model_id: string
  readonly figures: Figures
}

/** What all hosts counted since a moment, for one tenant's calls where it is given. */
export async function readFigures(db: Knex, from: Date, tenantId?: number, to?: Date): Promise<readonly FigureRow[]> {
  const query = db<FigureRow>('ai_gateway_figures').where('at', '>=', from)
  if (to) void query.where('at', '<', to)
  if (tenantId === undefined) return query.queryContext({ tenant: 'all' })
  return query.queryContext({ tenant: tenantId }).where({ tenant_id: tenantId })
}
