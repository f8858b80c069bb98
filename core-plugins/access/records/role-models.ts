import { TenantModel } from '#kernel'
import type { DataScope } from '../contract.ts'

/** The nodes of a CUSTOM scope. */
export interface ScopeOrgs {
  readonly org_ids: readonly number[]
  readonly with_children: boolean
}

/** How far a role sees on one resource, otherwise than on the rest. */
export interface ResourceScope {
  readonly scope: DataScope
  readonly orgs: ScopeOrgs | null
}

/** A role of a tenant or, with tenant 0, of the platform; a system role stores only what was added to it. */
export class Role extends TenantModel {
  static override tableName = 'access_roles'
  static override jsonAttributes = ['dataScopeOrgs', 'dataScopes']

  declare id: number
  declare code: string
  declare name: string
  declare system: boolean
  declare status: 'active' | 'disabled'
  declare permissions: string[]
  declare dataScope: DataScope
  declare dataScopeOrgs: ScopeOrgs | null
  /** By resource. */
  declare dataScopes: Readonly<Record<string, ResourceScope>>
  declare createdAt: Date
  declare updatedAt: Date
}

/** That a user holds a role. */
export class UserRole extends TenantModel {
  static override tableName = 'access_user_roles'
  static override idColumn = ['tenant_id', 'user_id', 'role_id']

  declare userId: number
  declare roleId: number
}
