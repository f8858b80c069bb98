import type { Model, QueryBuilder } from 'objection'

/** Which rows somebody may reach, as Cerbos' query plans: all, none, or those of some nodes and one's own. */
export type DataScopePlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'filter'; readonly orgIds: readonly number[]; readonly userId: number }

/** The columns a plan is compared with; a table without the column of the node leaves `org` out. */
export interface DataScopeColumns {
  /** The organisation node a row belongs to, stamped at insert. */
  readonly org?: string
  /** Who made the row. */
  readonly owner: string
}

/** Narrows a query to the rows that a plan reaches, and returns it. */
export function applyDataScope<Q extends QueryBuilder<Model, unknown>>(
  query: Q,
  plan: DataScopePlan,
  { org, owner }: DataScopeColumns,
): Q {
  if (plan.kind === 'all') return query
  if (plan.kind === 'none') return query.whereRaw('false')
  void query.where((group) => {
    void group.where(owner, plan.userId)
    // An array is one parameter and one index condition, however many nodes there are.
    if (org !== undefined && plan.orgIds.length > 0) void group.orWhereRaw('?? = any(?::int[])', [org, plan.orgIds])
  })
  return query
}
