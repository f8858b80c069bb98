import type { Knex } from 'knex'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { inSubtrees } from '../records/subtree.ts'

/** Users of the node with this path and of everything below it. */
export async function membersBelow(tenantId: number, path: string, db: Knex): Promise<readonly number[]> {
  const nodes = inSubtrees(OrgNode.of(tenantId, db).select('id'), [path])
  const rows = await UserOrg.of(tenantId, db).distinct('user_id').whereIn('org_id', nodes)
  return rows.map(({ userId }) => userId)
}
