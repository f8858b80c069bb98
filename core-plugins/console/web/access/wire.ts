import type {
  AuditLineBody,
  ListedOrgBody,
  OrgBody,
  OrgDetailBody,
  PermissionResourceBody,
  RoleBody,
} from '../../../access/wire.ts'

/** A role as the server tells it. */
export type Role = RoleBody
/** How far the holder of a role sees. */
export type ScopeName = RoleBody['data_scope']
/** Nodes that a scope names. */
export type ScopeOrgs = NonNullable<RoleBody['data_scope_orgs']>
/** What may be done with one kind of thing. */
export type Resource = PermissionResourceBody
/** One line of the log of administrative writes. */
export type AuditLine = AuditLineBody
/** Somebody in a line of the log. */
export type Actor = NonNullable<AuditLineBody['actor']>
/** A node of the organisation by itself. */
export type Org = OrgBody
/** The same with what a move of it takes along, where that was asked for. */
export type OrgDetail = OrgDetailBody
/** A node of the organisation with those below it. */
export type OrgNode = ListedOrgBody
