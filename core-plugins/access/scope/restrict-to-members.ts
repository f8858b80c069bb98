import type { Model, QueryBuilder } from 'objection'
import type { DataScopePlan } from '#kernel'

/** Narrows a query over users to those a plan reaches: members of its nodes, and the caller. */
export function restrictToMembers<Q extends QueryBuilder<Model, unknown>>(
  query: Q,
  plan: DataScopePlan,
  userId: string,
): Q {
  if (plan.kind === 'all') return query
  if (plan.kind === 'none') return query.whereRaw('false')
  void query.where((group) => {
    void group.where(userId, plan.userId)
    if (plan.orgIds.length === 0) return
    // Ids of nodes are unique over all tenants, and a plan holds those of one.
    const members = 'select member.user_id from access_user_orgs as member where member.org_id = any(?::int[])'
    void group.orWhereRaw(`?? in (${members})`, [userId, plan.orgIds])
  })
  return query
}
