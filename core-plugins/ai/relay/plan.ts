import type { Candidate } from '../../ai-ledger/contract.ts'
import type { CallGuard } from '../guard/call-guard.ts'
import { noMarkup, type Markup } from '../markups/markup.ts'
import type { Strategy } from '../routing/settings.ts'
import type { Target, Wish } from '../routing/target.ts'
import type { NeutralRequest } from '../wire/neutral.ts'
import type { RelayCall } from './call.ts'
import { AiModelNotFoundError } from '../errors.ts'
import { CapabilityMissingError, ModelNotAllowedError } from './errors.ts'
import type { Heard } from './heard.ts'
import { sizeOfChat, type InputSize } from './input-size.ts'
import type { CalledModel, CalledProvider, Catalogue, Route } from './ports.ts'

/** One target of a call: a model at its provider. */
export interface Leg extends Target {
  readonly model: CalledModel
  readonly provider: CalledProvider
  readonly maxOutputTokens: number | undefined
}

/** A fallback that was taken. */
export interface UsedFallback {
  readonly routeId: string
  readonly route: string
  /** `budget_exceeded`, `failed` and the like. */
  readonly why: string
  /** By name. */
  readonly model: string
}

/** Where a call may go. */
export interface Plan {
  /** As it was asked for. */
  readonly model: CalledModel
  readonly route: Route | undefined
  /** What retries are counted by. */
  readonly budgetKey: string
  readonly strategy: Strategy
  readonly legs: readonly Leg[]
  readonly fallbacks: readonly {
    readonly on: readonly string[]
    readonly legs: readonly Leg[]
    readonly notify: boolean
  }[]
  /** What it stands in for, where administrators are to be told. */
  readonly fallback?: UsedFallback | undefined
  readonly size: InputSize
  /** What is told to the provider, and held for. */
  readonly maxOutputTokens: number
  /** What the caller's tenant pays for what the platform's models cost. */
  readonly markup: Markup
  /** Held for a second attempt, too, which goes on where a first one broke off. */
  readonly continues: boolean
}

/** What a plan is made of. */
export interface PlanParts {
  readonly catalogue: Catalogue
  readonly random: () => number
}

/** A call as it is planned; of one for vectors the size of its input is known from elsewhere. */
export type PlannedCall = RelayCall & {
  /** What is wanted of the model; undefined where only its targets are. */
  readonly kind?: CalledModel['kind'] | undefined
  readonly inputSize?: InputSize | undefined
  readonly guard?: CallGuard | undefined
  /** Takes what is answered, where that is kept. */
  readonly heard?: Heard | undefined
}

/** Models that have no limit of their own, and are not told one, may write so much. */
const usualOutputTokens = 4_096
/** More than any model writes, and little enough that what it costs can be counted. */
const mostOutputTokens = 10_000_000

/** What a model is asked for, by whom. */
type Asked = Pick<PlannedCall, 'mayUse' | 'kind'> & {
  readonly request: Pick<NeutralRequest, 'model'>
  readonly spender: Pick<PlannedCall['spender'], 'tenantId'>
}

/** The model that is asked for; throws 404/4048, 403/4031, and 400/4002 for one that answers something else. */
export function findModel({ catalogue, random }: PlanParts, { request, spender, mayUse, kind }: Asked): CalledModel {
  const model = catalogue.model(request.model, spender.tenantId, random())
  if (!model) throw new AiModelNotFoundError()
  if (mayUse && !mayUse(model.name) && !mayUse(request.model)) throw new ModelNotAllowedError({ model: request.model })
  if (kind === undefined || kind === model.kind) return model
  const lack = kind === 'embedding' ? 'makes no vectors' : 'makes vectors alone'
  throw new CapabilityMissingError(
    { model: request.model, lack },
    { errors: [{ field: 'model', rule: 'kind', message: lack }] },
  )
}

/** Finds the model that is asked for, its route and its targets; throws 404/4048, 403/4031 and 400/4002. */
export function planCall(parts: PlanParts, call: PlannedCall): Plan {
  const { catalogue, random } = parts
  const { request, spender, mayUse, inputSize } = call
  const { tenantId } = spender
  const model = findModel(parts, call)
  // Where a route leads says nothing of who may go there.
  const isFor = ({ model: other }: Leg): boolean =>
    other.kind === model.kind && (other.id === model.id || !mayUse || mayUse(other.name))
  const size = inputSize ?? sizeOfChat(request)
  const route = catalogue.route({
    ...{ model, tenantId, keyId: spender.keyId, agentId: spender.agentId },
    ...{ hasTools: (request.tools?.length ?? 0) > 0, inputTokens: size.about },
  })
  // A version that was asked for by its number is no matter of a route.
  const isPinned = request.model.includes('@')
  const targets = route && !isPinned ? routed(route, catalogue, tenantId, random).filter(isFor) : []
  const legs = targets.length > 0 ? targets : alone(model, catalogue)
  const fallbacks = (route?.fallbacks ?? []).map(({ on, model: name, notify = false }) => {
    const other = catalogue.model(name, tenantId, random())
    return { on, notify, legs: other ? alone(other, catalogue).filter(isFor) : [] }
  })
  return {
    ...{ model, route, budgetKey: route?.id ?? model.id, legs, fallbacks, size },
    strategy: route?.strategy ?? catalogue.gateway.defaultStrategy,
    markup: catalogue.markup(tenantId),
    continues: mayContinue(call),
    // Vectors are no tokens.
    maxOutputTokens: inputSize ? 0 : outputOf(request, model),
  }
}

/** A fallback of a route as it is told of. */
export function usedOf({ id, name }: Route, why: string, model: string): UsedFallback {
  return { routeId: id, route: name, why, model }
}

/** Who answers, as the ledger names it. */
export function candidateOf({ model, provider }: Pick<Leg, 'model' | 'provider'>): Candidate {
  return {
    ...{ modelId: model.id, providerId: provider.id, priced: model.prices !== undefined },
    ...{ model: model.name, modelVersion: model.version },
  }
}

/** What is paid for a model: tenants have their own at what those cost. */
export function markupFor({ tenantId }: CalledModel, { markup }: Pick<Plan, 'markup'>): Markup {
  return tenantId === 0 ? markup : noMarkup
}

/** What the request needs of a target; figures for its context are about as large as they are. */
export function wishOf(request: NeutralRequest, { size, maxOutputTokens }: Plan, sticky: string | undefined): Wish {
  const needs = [
    ...((request.tools?.length ?? 0) > 0 ? ['tools'] : []),
    ...(size.hasMedia && hasImages(request) ? ['vision'] : []),
    ...(request.format?.type === 'json_schema' ? ['json_schema'] : []),
    ...(request.stream ? ['stream'] : []),
  ]
  const tokens = { inputTokens: size.about, maxOutputTokens: Math.min(maxOutputTokens, asked(request)) }
  return { ...tokens, needs, stream: request.stream, stickyKey: sticky }
}

/** How large a request is beside what its target takes, in tokens, as a refusal for its length tells it. */
export function boundsOf(
  { contextWindow }: Leg,
  { size }: Plan,
): { readonly limit: number | null; readonly estimated: number } {
  return { limit: contextWindow ?? null, estimated: size.about }
}

/** Prose alone, for readers who are told that somebody else goes on. */
function mayContinue({ afterFirstToken, request, wire, guard }: PlannedCall): boolean {
  if (afterFirstToken !== 'continue' || guard?.seesAnswers) return false
  return request.stream && request.format === undefined && wire === undefined
}

/** Who did not say how much it wants takes what fits. */
function asked({ maxOutputTokens }: NeutralRequest): number {
  return maxOutputTokens ?? 1
}

function outputOf({ maxOutputTokens: wanted }: NeutralRequest, model: CalledModel): number {
  const usual = model.defaultOutputTokens ?? model.maxOutputTokens ?? usualOutputTokens
  return Math.min(wanted ?? usual, model.maxOutputTokens ?? mostOutputTokens)
}

/** The targets of a route that can be called at all. */
export function routed(route: Route, catalogue: Catalogue, tenantId: number, random: () => number): readonly Leg[] {
  return route.targets.flatMap(({ model: name, providerId, ...target }) => {
    const model = catalogue.model(name, tenantId, random())
    const provider = model && catalogue.provider(providerId ?? model.providerId)
    return model && provider?.secrets ? [legOf(model, provider, target)] : []
  })
}

/** The one target of a model without a route; none where its provider cannot be called. */
export function alone(model: CalledModel, catalogue: Catalogue): readonly Leg[] {
  const provider = catalogue.provider(model.providerId)
  return provider?.secrets ? [legOf(model, provider, { id: model.name, tier: 0, weight: 1 })] : []
}

function legOf(
  model: CalledModel,
  provider: CalledProvider,
  target: Pick<Target, 'id' | 'tier' | 'weight'> & {
    maxConcurrency?: number | undefined
    maxOutputTokens?: number | undefined
  },
): Leg {
  const { prices, contextWindow, capabilities } = model
  return {
    ...{ id: target.id, tier: target.tier, weight: target.weight, maxConcurrency: target.maxConcurrency },
    ...{ key: `${provider.id}/${model.upstreamModel}`, providerId: provider.id, providerLimits: provider.limits },
    ...{ price: prices && prices.input + prices.output, contextWindow, capabilities, model, provider },
    maxOutputTokens: target.maxOutputTokens,
    totalMs: provider.timeouts.totalMs,
    obstacle: provider.vendor.asked && (() => provider.vendor.asked?.obstacle()),
  }
}

function hasImages({ messages }: NeutralRequest): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'image'))
}
