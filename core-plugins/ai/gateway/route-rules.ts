import type { Knex } from 'knex'
import type { FieldError } from '#kernel'
import { faultOf } from '../faults.ts'
import { ModelNameRow, ProviderRow, RouteRow } from '../tables.ts'

type Checked = Pick<RouteRow, 'id' | 'tenantId' | 'match' | 'targets' | 'fallbacks' | 'enabled'>

/** What is wrong with a route: names of nothing, targets that never get a request, fallbacks in a circle. */
export async function routeFaults(route: Checked, trx: Knex.Transaction): Promise<readonly FieldError[]> {
  return [
    ...shapeFaults(route),
    ...(await modelFaults(route, trx)),
    ...(await providerFaults(route, trx)),
    ...circleFaults(route, await othersOf(route, trx)),
  ]
}

/** A name without the version that it is pinned to. */
export function unpinned(model: string): string {
  return model.replace(/@\d+$/, '')
}

function shapeFaults({ tenantId, match, targets }: Checked): readonly FieldError[] {
  const usable = targets.filter(({ enabled }) => enabled)
  const tiers = Map.groupBy(usable, ({ tier }) => tier)
  const idle = [...tiers].filter(([, inTier]) => inTier.every(({ weight }) => weight === 0))
  const ids = targets.map(({ id }) => id)
  const isNarrowed = tenantId !== 0 && (match.tenants ?? []).some((id) => id !== tenantId)
  return [
    ...(usable.length === 0 ? [faultOf('targets', 'one_enabled', 'has one target at least that is enabled')] : []),
    ...(new Set(ids).size < ids.length ? [faultOf('targets', 'unique_ids', 'has an id of its own for each')] : []),
    ...idle.map(([tier]) => faultOf('targets', 'weight', `has a weight above 0 in tier ${tier}`, { tier })),
    ...(isNarrowed ? [faultOf('match.tenants', 'own_tenant', 'is the own tenant')] : []),
  ]
}

async function modelFaults({ tenantId, match, targets, fallbacks }: Checked, trx: Knex.Transaction) {
  const named: readonly (readonly [field: string, name: string])[] = [
    ...targets.map(({ model }, at) => [`targets[${at}].model`, unpinned(model)] as const),
    ...fallbacks.map(({ model }, at) => [`fallbacks[${at}].model`, unpinned(model)] as const),
    ...(match.models ?? []).map((model, at) => [`match.models[${at}]`, unpinned(model)] as const),
  ]
  // A route of the platform for some tenants may name their models.
  const scopes = [...new Set([0, tenantId, ...(match.tenants ?? [])])]
  const rows = await ModelNameRow.acrossTenants(trx)
    .whereIn('tenant_id', scopes)
    .whereIn('name', [...new Set(named.map(([, name]) => name))])
    .select('name')
  const known = new Set(rows.map(({ name }) => name))
  return named.flatMap(([field, name]) => {
    return known.has(name) ? [] : [faultOf(field, 'known', 'is the name of no model', { name })]
  })
}

async function providerFaults({ tenantId, match, targets }: Checked, trx: Knex.Transaction) {
  const wanted = [...new Set(targets.flatMap(({ provider_id: id }) => (id === undefined ? [] : [id])))]
  if (wanted.length === 0) return []
  const owners = tenantId === 0 ? [0, ...(match.tenants ?? [])] : [tenantId]
  const rows = await ProviderRow.acrossTenants(trx)
    .whereIn('id', wanted)
    .whereIn('tenant_id', owners)
    .whereNull('deleted_at')
    .select('id')
  const known = new Set(rows.map(({ id }) => id))
  return targets.flatMap(({ provider_id: id }, at) => {
    if (id === undefined || known.has(id)) return []
    return [faultOf(`targets[${at}].provider_id`, 'known', 'is no provider for this route')]
  })
}

async function othersOf({ id, tenantId }: Checked, trx: Knex.Transaction): Promise<readonly RouteRow[]> {
  return RouteRow.acrossTenants(trx).whereIn('tenant_id', [0, tenantId]).whereNot({ id }).where({ enabled: true })
}

/** Fallbacks lead from a model that a route names to another: following them must end. */
function circleFaults(route: Checked, others: readonly RouteRow[]): readonly FieldError[] {
  if (!route.enabled) return []
  const next = new Map<string, Set<string>>()
  for (const { match, fallbacks } of [...others, route]) {
    for (const model of match.models ?? []) {
      const to = next.get(unpinned(model)) ?? new Set()
      for (const fallback of fallbacks) to.add(unpinned(fallback.model))
      next.set(unpinned(model), to)
    }
  }
  const leadsTo = (from: string, goal: string, seen = new Set<string>()): boolean => {
    if (from === goal) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(next.get(from) ?? [])].some((model) => leadsTo(model, goal, seen))
  }
  const begins = (route.match.models ?? []).map(unpinned)
  return route.fallbacks.flatMap(({ model }, at) => {
    const isCircle = begins.some((begin) => leadsTo(unpinned(model), begin))
    return isCircle ? [faultOf(`fallbacks[${at}].model`, 'circle', 'leads back to where it began')] : []
  })
}
