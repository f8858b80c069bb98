import type { GatewayRoute, RouteFallback, RouteTarget } from './gateway-route.ts'

/** A target as the form has it; what the form does not show goes along. */
export interface TargetForm extends Omit<RouteTarget, 'tier' | 'weight' | 'model'> {
  model: string
  tier: number | null
  weight: number | null
}

/** A fallback as the form has it, with whatever was ticked. */
export interface FallbackForm extends Omit<RouteFallback, 'on'> {
  readonly on: readonly string[]
}

/** A route as its form has it: lists of names with commas between. */
export interface RouteForm {
  name: string
  models: string
  tenants: string
  agents: string
  keys: string
  tools: '' | 'with' | 'without'
  tokens: number | null
  priority: number | null
  /** The gateway’s own is the empty one. */
  strategy: string
  targets: readonly TargetForm[]
  fallbacks: readonly FallbackForm[]
}

const listed = (names: readonly (string | number)[] = []) => names.join(', ')
const namesIn = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** What the form begins with. */
export function formOf(route: GatewayRoute | undefined): RouteForm {
  const { models, tenants, agents, keys, when } = route?.match ?? {}
  const targets: readonly RouteTarget[] = route?.targets ?? [{ id: 't1', model: '' }]
  return {
    ...{ name: route?.name ?? '', priority: route?.priority ?? 100, strategy: route?.strategy ?? '' },
    ...{ models: listed(models), tenants: listed(tenants), agents: listed(agents), keys: listed(keys) },
    tools: when?.has_tools === undefined ? '' : when.has_tools ? 'with' : 'without',
    tokens: when?.input_tokens_gt ?? null,
    // In the order in which they are asked.
    targets: targets
      .map(({ tier = 1, weight = 1, ...target }) => ({ ...target, tier, weight }))
      .toSorted((one, other) => one.tier - other.tier),
    fallbacks: route?.fallbacks ?? [],
  }
}

/** What the form says of a route, as the API has it. */
export function wishOf(form: RouteForm) {
  const { name, priority, strategy, targets, fallbacks, tools, tokens } = form
  return {
    ...{ name, priority, strategy: strategy === '' ? null : strategy, targets, fallbacks },
    match: {
      ...{ models: namesIn(form.models), tenants: namesIn(form.tenants).map(numberOf) },
      ...{ agents: namesIn(form.agents), keys: namesIn(form.keys) },
      when: {
        ...(tools !== '' && { has_tools: tools === 'with' }),
        ...(tokens !== null && { input_tokens_gt: tokens }),
      },
    },
  }
}

/** What is no number is sent as it was typed: the server says which it is. */
function numberOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}
