import type { Strategy } from '../routing/settings.ts'
import type { RouteRow } from '../tables.ts'
import type { ModelTable } from './model-table.ts'
import type { CatalogueFacts, CatalogueRoute } from './types.ts'

interface KnownRoute {
  readonly row: RouteRow
  readonly route: CatalogueRoute
  /** Ids of the models that it is for; undefined for all. */
  readonly models: ReadonlySet<string> | undefined
}

/** Finds the route of a request. */
export class RouteTable {
  /** In the order in which they are asked. */
  readonly #known: readonly KnownRoute[]

  constructor(rows: readonly RouteRow[], models: ModelTable, otherwise: Strategy) {
    this.#known = rows
      .filter(({ enabled }) => enabled)
      .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
      .map((row) => knownOf(row, models, otherwise))
  }

  find(facts: CatalogueFacts): CatalogueRoute | undefined {
    const isFor = (known: KnownRoute): boolean => matches(known, facts)
    const own = this.#known.find((known) => known.row.tenantId === facts.tenantId && isFor(known))
    return (own ?? this.#known.find((known) => known.row.tenantId === 0 && isFor(known)))?.route
  }

  /** The fallback of the first route for a model that there is none of any more, by the model's id. */
  standIn(name: string, tenantId: number): string | undefined {
    const isFor = ({ row: { tenantId: owner, match } }: KnownRoute): boolean => {
      const { models = [], tenants = [] } = match
      const isReached = owner === tenantId || (owner === 0 && (tenants.length === 0 || tenants.includes(tenantId)))
      return isReached && models.some((model) => unpinned(model) === unpinned(name))
    }
    const found = this.#known.filter(isFor)
    const own = found.find(({ row }) => row.tenantId === tenantId) ?? found[0]
    return own?.route.fallbacks[0]?.model
  }

  list(tenantId?: number): readonly CatalogueRoute[] {
    const all = this.#known.map(({ route }) => route)
    if (tenantId === undefined) return all
    return [tenantId, 0].flatMap((scope) => all.filter((route) => route.tenantId === scope))
  }
}

/** A name without the version that it is pinned to. */
function unpinned(model: string): string {
  return model.replace(/@\d+$/, '')
}

function matches({ row, models }: KnownRoute, facts: CatalogueFacts): boolean {
  const { tenants = [], agents = [], keys = [], when = {} } = row.match
  const isNamed = tenants.includes(facts.tenantId)
  // What the platform says of its own models holds for a tenant's only where it names the tenant.
  if (row.tenantId === 0 && facts.model.tenantId !== 0 && !isNamed) return false
  return (
    (models === undefined || models.has(facts.model.id)) &&
    (tenants.length === 0 || isNamed) &&
    (agents.length === 0 || agents.includes(facts.agentId ?? '')) &&
    (keys.length === 0 || keys.includes(facts.keyId ?? '')) &&
    (when.has_tools === undefined || when.has_tools === facts.hasTools) &&
    (when.input_tokens_gt === undefined || facts.inputTokens > when.input_tokens_gt)
  )
}

function knownOf(row: RouteRow, models: ModelTable, otherwise: Strategy): KnownRoute {
  const { id, tenantId, name, strategy, match, targets, fallbacks, cache, router } = row
  const scopes = tenantId === 0 ? [0, ...(match.tenants ?? [])] : [tenantId]
  const idsOf = (model: string): readonly string[] =>
    scopes.flatMap((scope) => models.idOf(unpinned(model), scope) ?? [])
  const idOf = (model: string): string => scopes.map((scope) => models.idOf(model, scope)).find(Boolean) ?? model
  const named = match.models ?? []
  return {
    row,
    models: named.length === 0 ? undefined : new Set(named.flatMap(idsOf)),
    route: {
      ...{ id, tenantId, name, strategy: strategy ?? otherwise, cacheSeconds: cache?.max_age_s },
      router: router ? { plugin: router.plugin, code: router.router } : undefined,
      targets: targets
        .filter(({ enabled }) => enabled)
        .map((target) => ({
          ...{ id: target.id, tier: target.tier, weight: target.weight, model: idOf(target.model) },
          providerId: target.provider_id,
          maxConcurrency: target.max_concurrency,
          maxOutputTokens: target.params?.max_tokens,
        })),
      fallbacks: fallbacks.map(({ on, model, notify = false }) => ({ on, model: idOf(model), notify })),
    },
  }
}
