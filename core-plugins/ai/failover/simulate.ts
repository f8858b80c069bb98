import type { PluginRouters } from '../../plugin-offers/contract.ts'
import { askRouter } from '../relay/ask-router.ts'
import { planCall, wishOf, type Leg, type PlannedCall } from '../relay/plan.ts'
import type { Catalogue } from '../relay/ports.ts'
import type { RoutingTable } from '../routing/routing-table.ts'

/** A request that is only thought of. */
export interface SimulatedRequest {
  readonly model: string
  readonly tenant_id?: number
  readonly input_tokens?: number
  readonly max_output_tokens?: number
  readonly stream?: boolean
  readonly tools?: boolean
  readonly sticky?: string
}

/** What is asked where a request would go. */
interface SimulationParts {
  readonly catalogue: Catalogue
  readonly table: RoutingTable
  readonly routers?: Pick<PluginRouters, 'order'>
}

/** Where a request would go now, and why: nothing is sent, nothing is counted. Throws 404/4048 for an unknown model. */
export async function simulate(
  request: SimulatedRequest,
  down: ReadonlySet<string>,
  { catalogue, table, routers }: SimulationParts,
) {
  const { model, stream = false, tools = false, input_tokens: tokens = 0, max_output_tokens: output } = request
  const call: PlannedCall = {
    ...{
      spender: { tenantId: request.tenant_id ?? 0 },
      purpose: 'test',
      traceId: '',
      signal: new AbortController().signal,
    },
    request: {
      ...{ model, stream, messages: [], includeUsage: false, extra: {} },
      ...(output !== undefined && { maxOutputTokens: output }),
      ...(tools && { tools: [{ name: 'any', schema: {} }] }),
    },
    inputSize: { atMost: tokens, about: tokens, hasMedia: false, images: 0 },
  }
  const plan = { ...planCall({ catalogue, random: () => 1 }, call), maxOutputTokens: output ?? 1 }
  const assumed = (leg: { readonly id: string; readonly providerId: string }): string | undefined =>
    down.has(leg.id) || down.has(leg.providerId) ? 'assumed down' : undefined
  const wish = { ...wishOf(call.request, plan, request.sticky), refuses: assumed }
  const { candidates, rejected } = table.survey(plan.legs, plan.strategy, wish)
  const routed = (await askRouter(routers, { plan, call, wish, table }))?.order ?? []
  const place = ({ target }: { readonly target: Leg }): number => routed.indexOf(target.id) + 1 || Infinity
  const named = candidates.find(({ target }) => target.id === routed[0])
  const lowest = Math.min(...candidates.map(({ target }) => target.tier))
  const gone = rejected.map(({ target, admission }) => `${target.id} ${admission.because}`)
  const order = candidates
    .toSorted((a, b) => place(a) - place(b) || a.target.tier - b.target.tier || b.share - a.share)
    .map(({ target, share, because }) => ({
      ...presentLeg(target),
      probability: named ? Number(target === named.target) : target.tier === lowest ? round(share) : 0,
      because: [
        because,
        ...(target === named?.target ? ['the router’s choice'] : []),
        `tier ${String(target.tier)}`,
        ...(target.tier === lowest ? gone : []),
      ].join('; '),
    }))
  return {
    ...{ route: plan.route?.name ?? null, strategy: plan.strategy, order },
    rejected: rejected.map(({ target, admission }) => ({ ...presentLeg(target), because: admission.because })),
  }
}

function presentLeg({ id, tier, model, providerId }: Leg) {
  return { target: id, model: model.name, provider_id: providerId, tier }
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
