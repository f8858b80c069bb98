import type { Knex } from 'knex'
import { numbersOf } from '../contract-targets.ts'
import { OrgNode } from '../records/org-models.ts'
import { Role } from '../records/role-models.ts'
import type { UserNames } from '../user-names.ts'
import type { TargetNames } from './target-names.ts'

/** Names roles, nodes of the organisation and users. */
export function nameOwnTargets(targets: TargetNames, names: UserNames, db: Knex): void {
  targets.use('role', async (tenantId, ids) => Role.of(tenantId, db).whereIn('id', numbersOf(ids)).select('id', 'name'))
  targets.use('org', async (tenantId, ids) =>
    OrgNode.of(tenantId, db).whereIn('id', numbersOf(ids)).select('id', 'name'),
  )
  targets.use('user', async (tenantId, ids) => {
    const users = await names.of(tenantId, numbersOf(ids))
    return [...users].map(([id, { nickname }]) => ({ id, name: nickname }))
  })
}
