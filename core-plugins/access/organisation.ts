import type { Knex } from 'knex'
import type { Route } from '#kernel'
import type { Audit } from './contract.ts'
import type { AccessParts } from './service.ts'
import { memberRoutes } from './orgs/member-routes.ts'
import { OrgMembers } from './orgs/org-members.ts'
import { OrgReach } from './orgs/org-reach.ts'
import { OrgRoles } from './orgs/org-roles.ts'
import { OrgService } from './orgs/org-service.ts'
import { orgRoleRoutes } from './orgs/role-routes.ts'
import { orgRoutes } from './orgs/routes.ts'

/** Every endpoint of the organisation. */
export function organisation({
  db,
  access,
  audit,
  authority,
  scopes,
  memberships,
  names,
}: AccessParts & { readonly db: Knex; readonly audit: Audit }): readonly Route[] {
  const parts = { db, access, audit, authority, reach: new OrgReach(scopes) }
  return [
    ...orgRoutes(new OrgService(parts), parts),
    ...memberRoutes(new OrgMembers({ ...parts, names }, memberships)),
    ...orgRoleRoutes(new OrgRoles(parts)),
  ]
}
