import type { AiSpending } from '../../../ai-ledger/contract.ts'
import type { Catalogue } from '../../catalogue/types.ts'
import { knownTargets } from '../../failover/known-targets.ts'
import type { RoutingTable } from '../../routing/routing-table.ts'
import { percentile, sumFigures } from '../../stats/figures.ts'
import type { RecentFigures } from '../../states/recent-figures.ts'
import { failuresOf } from '../failures.ts'
import type { AlertCondition, AlertScope } from './tables.ts'

/** What values are read from. */
export interface MeasureParts {
  readonly recent: RecentFigures
  readonly spending: AiSpending
  readonly table: RoutingTable
  readonly catalogue: () => Catalogue
}

/** Fewer attempts say nothing about a rate. */
const few = 5

/** The value of a rule's metric now, for whoever's the rule is (0 is the platform); null where nothing can be said. */
export async function measure(
  parts: MeasureParts,
  { metric, scope }: Pick<AlertCondition, 'metric' | 'scope'>,
  ownerId: number,
): Promise<number | null> {
  const tenantId = ownerId === 0 ? scope.tenant_id : ownerId
  switch (metric) {
    case 'error_rate': {
      const { failed, counted } = failuresOf(await figuresOf(parts, scope, tenantId))
      return counted < few ? null : failed / counted
    }
    case 'ttft_p95':
      return percentile((await figuresOf(parts, scope, tenantId)).ttft, 0.95)
    case 'estimated_usage_ratio': {
      const { usage = {} } = await figuresOf(parts, scope, tenantId)
      const all = Object.values(usage).reduce((sum, rows) => sum + rows, 0)
      return all < few ? null : (all - (usage['provider'] ?? 0)) / all
    }
    case 'breaker_open':
      return openBreakers(parts, scope, tenantId)
    case 'no_healthy_target':
      return deadRoutes(parts, scope, tenantId)
    case 'quota_ratio': {
      const [fullest] = await parts.spending.quotas(tenantId, scope.quota_id)
      return fullest?.ratio ?? null
    }
    case 'cost_rate_vs_7d': {
      const { lastHour, usual } = await parts.spending.costRate({
        ...(tenantId !== undefined && { tenantId }),
        ...(scope.model_id !== undefined && { modelId: scope.model_id }),
        ...(scope.provider_id !== undefined && { providerId: scope.provider_id }),
      })
      return usual === null ? null : lastHour / usual
    }
  }
}

async function figuresOf({ recent }: MeasureParts, { provider_id, model_id }: AlertScope, tenantId?: number) {
  const rows = (await recent.read(tenantId)).filter(({ target, key, model_id: model }) => {
    if (target === '' || (model_id !== undefined && model !== model_id)) return false
    return provider_id === undefined || key.startsWith(`${provider_id}/`)
  })
  return sumFigures(rows.map(({ figures }) => figures))
}

function targetsOf({ catalogue }: MeasureParts, scope: AlertScope, tenantId: number | undefined) {
  return knownTargets(catalogue(), tenantId).filter(({ leg, route }) => {
    if (scope.provider_id !== undefined && leg.providerId !== scope.provider_id) return false
    if (scope.model_id !== undefined && leg.model.id !== scope.model_id) return false
    return scope.route_id === undefined || route?.id === scope.route_id
  })
}

/** Breakers of targets and of whole providers that are not closed. */
function openBreakers(parts: MeasureParts, scope: AlertScope, tenantId: number | undefined): number {
  const legs = targetsOf(parts, scope, tenantId).map(({ leg }) => leg)
  const { table } = parts
  const breakers = [
    ...[...new Set(legs.map(({ key }) => key))].map((key) => table.target(key).breaker),
    ...[...new Set(legs.map(({ providerId }) => providerId))].map((id) => table.provider(id).breaker),
  ]
  return breakers.filter(({ state }) => state !== 'closed').length
}

/** Routes, and models without one, that no target is well of. */
function deadRoutes(parts: MeasureParts, scope: AlertScope, tenantId: number | undefined): number {
  const groups = Map.groupBy(targetsOf(parts, scope, tenantId), ({ route, leg }) => route?.id ?? leg.model.id)
  return [...groups.values()].filter((group) => !group.some(({ leg }) => isWell(parts.table, leg))).length
}

/** Whether a target takes requests now, as far as its health goes. */
export function isWell(
  table: RoutingTable,
  { key, providerId }: { readonly key: string; readonly providerId: string },
) {
  const { breaker, cooldown } = table.target(key)
  const states = [breaker.state, table.provider(providerId).breaker.state]
  return !states.includes('open') && cooldown.until <= Date.now()
}
