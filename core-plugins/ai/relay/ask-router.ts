import type { PluginRouters, RouterCandidate } from '../../plugin-offers/contract.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { Wish } from '../routing/target.ts'
import type { Leg, Plan, PlannedCall } from './plan.ts'

/** What a router is asked about. */
interface RoutedCall {
  readonly plan: Plan
  readonly call: Pick<PlannedCall, 'spender' | 'request' | 'traceId' | 'signal'>
  readonly wish: Wish
  readonly table: RoutingTable
}

/** An order of targets, and what it took in the sandbox, in milliseconds of CPU. */
interface RouterSaid {
  readonly order: readonly string[]
  readonly cpuMs: number
}

/** Asks the router of a route; undefined where there is none, nothing to choose, or it failed: then the route's strategy chooses. */
export async function askRouter(
  routers: Pick<PluginRouters, 'order'> | undefined,
  { plan, call, wish, table }: RoutedCall,
): Promise<RouterSaid | undefined> {
  const { router, tenantId = 0 } = plan.route ?? {}
  if (!routers || !router) return undefined
  const { candidates } = table.survey(plan.legs, plan.strategy, wish)
  if (candidates.length < 2) return undefined
  const shown = candidates.map(({ target, share, inFlight }): RouterCandidate => {
    const { record } = table.target(target.key)
    return {
      ...presentLeg(target),
      share,
      inFlight,
      success: record.success,
      paceMs: record.pace(wish.stream === true) ?? null,
    }
  })
  const { spender, request, traceId, signal } = call
  const asked = { model: request.model, inputTokens: wish.inputTokens, maxOutputTokens: plan.maxOutputTokens }
  return routers
    .order({
      ...{ plugin: router.plugin, code: router.code, tenantId, callerId: spender.tenantId, traceId, signal },
      request: { ...asked, stream: request.stream, hasTools: (request.tools?.length ?? 0) > 0 },
      candidates: shown,
    })
    .catch(() => undefined)
}

function presentLeg({ id, model, tier, weight, price, contextWindow }: Leg) {
  return { id, model: model.name, tier, weight, price: price ?? null, contextWindow: contextWindow ?? null }
}
