import { TenantModel } from '#kernel'

/** A node of a tenant's organisation. Its path names every node from the root down to itself, such as `/1/5/9/`. */
export class OrgNode extends TenantModel {
  static override tableName = 'access_orgs'

  declare id: number
  declare parentId: number | null
  declare code: string | null
  declare name: string
  declare path: string
  /** 1 at the top. */
  declare depth: number
  declare sort: number
  declare leaderId: number | null
  declare status: 'active' | 'disabled'
  declare createdAt: Date
  declare updatedAt: Date
}

/** That a user belongs to a node. */
export class UserOrg extends TenantModel {
  static override tableName = 'access_user_orgs'
  static override idColumn = ['tenant_id', 'user_id', 'org_id']

  declare userId: number
  declare orgId: number
  declare isPrimary: boolean
}

/** That a node gives its members a role, and with `inherit` the members of every node below. */
export class OrgRole extends TenantModel {
  static override tableName = 'access_org_roles'
  static override idColumn = ['tenant_id', 'org_id', 'role_id']

  declare orgId: number
  declare roleId: number
  declare inherit: boolean
}
