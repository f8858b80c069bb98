import type { Knex } from 'knex'
import { ValidationFailedError, type FieldError, type PermissionRegistry } from '#kernel'
import type { DataScope } from '../contract.ts'
import { OrgNode } from '../records/org-models.ts'
import type { ResourceScope, Role, ScopeOrgs } from '../records/role-models.ts'
import type { RoleArea } from './role-area.ts'

interface GivenOrgs {
  readonly org_ids: readonly number[]
  readonly with_children?: boolean
}

/** What a body may say of how far a role sees. */
export interface ScopeChange {
  readonly data_scope?: DataScope
  readonly data_scope_orgs?: GivenOrgs | null
  readonly data_scopes?: Readonly<Record<string, { readonly scope: DataScope } & Partial<GivenOrgs>>>
}

/** The columns that say how far a role sees. */
export type RoleScopes = Pick<Role, 'dataScope' | 'dataScopeOrgs' | 'dataScopes'>

/** Whether a body says anything of it. */
export function hasScopes(change: ScopeChange): boolean {
  return [change.data_scope, change.data_scope_orgs, change.data_scopes].some((member) => member !== undefined)
}

/** How far a role sees after a change; nodes are kept only for a scope that names them. */
export function changeScopes(before: RoleScopes, change: ScopeChange): RoleScopes {
  const dataScope = change.data_scope ?? before.dataScope
  const orgs = change.data_scope_orgs === undefined ? before.dataScopeOrgs : change.data_scope_orgs
  const entries = Object.entries(change.data_scopes ?? {}).map(([resource, { scope, org_ids: ids, ...more }]) => {
    return [resource, { scope, orgs: orgsOf(scope, ids ? { org_ids: ids, ...more } : null) }] as const
  })
  return {
    dataScope,
    dataScopeOrgs: orgsOf(dataScope, orgs),
    dataScopes: change.data_scopes ? Object.fromEntries(entries) : before.dataScopes,
  }
}

/** Throws 422 for a CUSTOM scope without nodes, for nodes that are not there and for resources without a scope. */
export async function checkScopes(
  tenantId: number,
  { dataScope, dataScopeOrgs, dataScopes }: RoleScopes,
  { area, registry }: { readonly area: RoleArea; readonly registry: PermissionRegistry },
  db: Knex,
): Promise<void> {
  const all: readonly (readonly [string, ResourceScope])[] = [
    ['data_scope_orgs', { scope: dataScope, orgs: dataScopeOrgs }],
    ...Object.entries(dataScopes).map(([resource, scope]) => [`data_scopes.${resource}`, scope] as const),
  ]
  const ids = [...new Set(all.flatMap(([, { orgs }]) => orgs?.org_ids ?? []))]
  const nodes = ids.length > 0 ? await OrgNode.of(tenantId, db).select('id').whereIn('id', ids) : []
  const known = new Set(nodes.map(({ id }) => id))
  const scoped = new Set(
    registry
      .list()
      .flatMap(({ name, scope, dataScoped }) => (dataScoped && area.scopes.has(scope) ? [resourceOf(name)] : [])),
  )
  const errors = [
    ...all.flatMap(([field, scope]) => faultsOf(field, scope, known)),
    ...Object.keys(dataScopes).flatMap((resource) =>
      scoped.has(resource)
        ? []
        : [{ field: `data_scopes.${resource}`, rule: 'known', message: 'is no resource with a data scope' }],
    ),
  ]
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}

function faultsOf(field: string, { scope, orgs }: ResourceScope, known: ReadonlySet<number>): readonly FieldError[] {
  if (scope !== 'CUSTOM') return []
  if (!orgs) return [{ field, rule: 'required', message: 'a CUSTOM scope names organisation nodes' }]
  return orgs.org_ids.flatMap((org) =>
    known.has(org) ? [] : [{ field, rule: 'known', message: `there is no organisation node ${org}`, params: { org } }],
  )
}

function orgsOf(scope: DataScope, orgs: GivenOrgs | null): ScopeOrgs | null {
  if (scope !== 'CUSTOM' || !orgs) return null
  return { org_ids: [...orgs.org_ids], with_children: orgs.with_children ?? false }
}

function resourceOf(permission: string): string {
  return permission.slice(0, permission.lastIndexOf(':'))
}
