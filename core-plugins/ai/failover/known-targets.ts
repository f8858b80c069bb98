import { alone, routed, type Leg } from '../relay/plan.ts'
import type { CalledModel, Catalogue, Route } from '../relay/ports.ts'

/** What a person names targets by; all that is given must hold. */
export interface TargetName {
  readonly provider_id?: string
  readonly model?: string
  readonly route_id?: string
  /** As its route names it. */
  readonly target?: string
}

/** A target where it stands: in a route, or as a model that has none. */
export interface KnownTarget {
  readonly leg: Leg
  readonly route: Route | undefined
}

/** Every target that requests of a tenant may go to; of all tenants where none is named. */
export function knownTargets(catalogue: Catalogue, tenantId: number | undefined): readonly KnownTarget[] {
  const inRoutes = catalogue
    .routes(tenantId)
    .flatMap((route) => routed(route, catalogue, route.tenantId, () => 1).map((leg): KnownTarget => ({ leg, route })))
  const known = new Set(inRoutes.map(({ leg }) => leg.key))
  const models = modelsFor(catalogue, tenantId).flatMap((model) => alone(model, catalogue))
  const others = models.filter(({ key }) => !known.has(key))
  return [...inRoutes, ...others.map((leg): KnownTarget => ({ leg, route: undefined }))]
}

/** Each once, whoever may call it. */
function modelsFor(catalogue: Catalogue, tenantId: number | undefined): readonly CalledModel[] {
  const tenants = tenantId === undefined ? new Set([0, ...catalogue.tenants()]) : [tenantId]
  const found = new Map<string, CalledModel>()
  for (const tenant of tenants) {
    for (const { id } of catalogue.modelsFor(tenant)) {
      const model = found.has(id) ? undefined : catalogue.model(id, tenant, 1)
      if (model) found.set(id, model)
    }
  }
  return [...found.values()]
}

/** Those that a name means. */
export function named(targets: readonly KnownTarget[], name: TargetName): readonly KnownTarget[] {
  return targets.filter(({ leg, route }) => {
    return (
      (name.provider_id === undefined || leg.providerId === name.provider_id) &&
      (name.model === undefined || leg.model.name === name.model || leg.model.id === name.model) &&
      (name.route_id === undefined || route?.id === name.route_id) &&
      (name.target === undefined || leg.id === name.target)
    )
  })
}
