import type { Knex } from 'knex'
import type { DataScopePlan } from '#kernel'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { inSubtrees } from '../records/subtree.ts'
import { whereReached } from './org-reach.ts'

/** How much a node takes along when it moves: itself and what is below it, and whoever is a member of any of these. */
export interface OrgCounts {
  readonly nodes: number
  readonly people: number
}

/** Counts a node with all below it, as far as a plan reaches. */
export async function countBelow({ tenantId, path }: OrgNode, plan: DataScopePlan, db: Knex): Promise<OrgCounts> {
  const below = () => whereReached(inSubtrees(OrgNode.of(tenantId, db), [path]), plan)
  const [nodes, people] = await Promise.all([
    below().resultSize(),
    UserOrg.of(tenantId, db).distinct('user_id').whereIn('org_id', below().select('id')).resultSize(),
  ])
  return { nodes, people }
}
