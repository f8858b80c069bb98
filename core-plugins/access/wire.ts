import type { BodyOf } from '#kernel/schemas'
import type { auditLine } from './audit/schemas.ts'
import type { managedEntry, menuEntry } from './menus/schemas.ts'
import type { listedOrg, orgBody, orgDetail, orgMember, orgRoles } from './orgs/schemas.ts'
import type { permissionResource, roleBody, roleHolder, roleImpact } from './roles/schemas.ts'

/** A role. */
export type RoleBody = BodyOf<typeof roleBody>
/** Somebody who was given a role. */
export type RoleHolderBody = BodyOf<typeof roleHolder>
/** What a role would do. */
export type RoleImpactBody = Omit<BodyOf<typeof roleImpact>, 'menus'> & { readonly menus: readonly MenuBody[] }
/** What roles may be given of one resource. */
export type PermissionResourceBody = BodyOf<typeof permissionResource>
/** One line of the log of administrative writes. */
export type AuditLineBody = BodyOf<typeof auditLine>
/** An entry of the navigation with those below it. */
export type MenuBody = BodyOf<typeof menuEntry> & { readonly children: readonly MenuBody[] }
/** The same as whoever arranges it sees it. */
export type ManagedMenuBody = BodyOf<typeof managedEntry> & { readonly children: readonly ManagedMenuBody[] }
/** A node of the organisation by itself. */
export type OrgBody = BodyOf<typeof orgBody>
/** The same with what a move of it takes along, where that was asked for. */
export type OrgDetailBody = BodyOf<typeof orgDetail>
/** A node in a list, with those below it. */
export type ListedOrgBody = BodyOf<typeof listedOrg> & { readonly children: readonly ListedOrgBody[] }
/** Somebody who belongs to a node. */
export type OrgMemberBody = BodyOf<typeof orgMember>
/** The roles that a node gives its members, and those that come from above. */
export type OrgRolesBody = BodyOf<typeof orgRoles>
