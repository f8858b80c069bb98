import type { RouteRow, StoredFallback, StoredMatch, StoredTarget } from '../tables.ts'

/** What may be said of a route; what is absent stays. */
export interface RouteChange {
  readonly name?: string
  readonly enabled?: boolean
  readonly priority?: number
  readonly match?: StoredMatch
  readonly strategy?: RouteRow['strategy']
  readonly targets?: readonly TargetWish[]
  readonly fallbacks?: readonly StoredFallback[]
  readonly cache?: RouteRow['cache']
  readonly router?: RouteRow['router']
}

/** A route to be made. */
export interface NewRoute extends RouteChange {
  readonly name: string
  readonly targets: readonly TargetWish[]
  readonly tenant_id?: number | null
}

type TargetWish = Pick<StoredTarget, 'id' | 'model'> & Partial<StoredTarget>

/** What a route is unless something else is said. */
export const blankRoute = {
  ...({ enabled: true, priority: 100, match: {}, strategy: null, fallbacks: [], cache: null, router: null } as const),
}

/** The columns that a change says something of. */
export function routeColumns({ targets, ...change }: RouteChange): Partial<RouteRow> {
  const { name, enabled, priority, match, strategy, fallbacks, cache, router } = change
  const whole = targets?.map((target) => ({ tier: 0, weight: 1, enabled: true, ...target }))
  const columns = { name, enabled, priority, match, strategy, fallbacks, cache, router, targets: whole }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
