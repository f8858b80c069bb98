import type { Principal } from '#kernel'
import type { AiSpending, QuotaStanding } from '../../../ai-ledger/contract.ts'
import type { Catalogue } from '../../catalogue/types.ts'
import { knownTargets } from '../../failover/known-targets.ts'
import type { RoutingTable } from '../../routing/routing-table.ts'
import { percentile, sumFigures } from '../../stats/figures.ts'
import type { RecentFigures } from '../../states/recent-figures.ts'
import type { CallTotals } from './call-totals.ts'

/** What metrics are read from. */
interface MetricParts {
  readonly totals: CallTotals
  readonly recent: RecentFigures
  readonly spending: Pick<AiSpending, 'quotas'>
  readonly table: RoutingTable
  readonly catalogue: () => Catalogue
}

const breakerValues = { closed: 0, half_open: 1, open: 2 } as const

/** Figures of the gateway: of all, or of a tenant's calls and providers. */
export async function readMetrics({ totals, recent, spending, table, catalogue }: MetricParts, reader: Principal) {
  const tenantId = reader.scope === 'platform' ? undefined : reader.tenantId
  const [calls, rows, quotas] = await Promise.all([
    totals.read(tenantId),
    recent.read(tenantId),
    spending.quotas(tenantId),
  ])
  const current = catalogue()
  const targets = knownTargets(current, tenantId).map(({ leg }) => leg)
  const own = targets.filter(({ provider }) => tenantId === undefined || provider.tenantId === tenantId)
  const byTarget = Map.groupBy(
    rows.filter(({ target }) => target !== ''),
    ({ key }) => key,
  )
  const whole = sumFigures(rows.filter(({ target }) => target === '').map(({ figures }) => figures))
  return {
    at: new Date().toISOString(),
    requests: calls.map(({ provider_id, model, outcome, calls: count }) => ({ provider_id, model, outcome, count })),
    usage_estimated: calls
      .filter(({ estimated }) => estimated > 0)
      .map(({ provider_id, model, estimated: count }) => ({ provider_id, model, count })),
    ttft: [...byTarget].flatMap(([key, figures]) => {
      const { ttft } = sumFigures(figures.map((row) => row.figures))
      const [p50, p95] = [percentile(ttft, 0.5), percentile(ttft, 0.95)]
      return p50 === null || p95 === null ? [] : [{ ...splitKey(key), p50_ms: p50, p95_ms: p95 }]
    }),
    breakers: [...new Map(own.map((leg) => [leg.key, leg])).values()].map(({ key, providerId }) => {
      const states = [table.provider(providerId).breaker.state, table.target(key).breaker.state]
      const state = states.toSorted((a, b) => breakerValues[b] - breakerValues[a])[0] ?? 'closed'
      return { ...splitKey(key), state }
    }),
    quotas: quotas.map(presentQuota),
    retry_budget: {
      ratio: whole.requests === 0 ? 0 : Math.round((whole.retries / whole.requests) * 10_000) / 10_000,
      limit: current.gateway.retry.budgetRatio,
    },
  }
}

/** What `readMetrics` makes. */
export type Metrics = Awaited<ReturnType<typeof readMetrics>>

/** As the text has it. */
export function breakerValue(state: keyof typeof breakerValues): number {
  return breakerValues[state]
}

function splitKey(key: string) {
  const slash = key.indexOf('/')
  return { provider_id: key.slice(0, slash), target: key.slice(slash + 1) }
}

function presentQuota({ quotaId, name, tenantId, metric, ratio }: QuotaStanding) {
  return { quota_id: quotaId, name, tenant_id: tenantId === 0 ? null : tenantId, metric, used_ratio: ratio }
}
