import type { ResourceScope, Role, ScopeOrgs } from '../records/role-models.ts'

/** A role as the wire shows it. */
export interface PresentedRole {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly system: boolean
  readonly status: string
  /** Everything its holders get, what a system role and the plugins assigned give included. */
  readonly permissions: readonly string[]
  readonly data_scope: string
  readonly data_scope_orgs: ScopeOrgs | null
  /** Where a resource is seen otherwise. */
  readonly data_scopes: Readonly<Record<string, PresentedScope>>
  readonly created_at: string
  readonly updated_at: string
}

type PresentedScope = { readonly scope: string } & Partial<ScopeOrgs>

/** A role with all it gives. */
export function presentRole(role: Role, permissions: readonly string[]): PresentedRole {
  return {
    id: role.id,
    code: role.code,
    name: role.name,
    system: role.system,
    status: role.status,
    permissions,
    data_scope: role.dataScope,
    data_scope_orgs: role.dataScopeOrgs,
    data_scopes: Object.fromEntries(
      Object.entries(role.dataScopes).map(([resource, scope]) => [resource, presentScope(scope)]),
    ),
    created_at: role.createdAt.toISOString(),
    updated_at: role.updatedAt.toISOString(),
  }
}

function presentScope({ scope, orgs }: ResourceScope): PresentedScope {
  return { scope, ...orgs }
}
