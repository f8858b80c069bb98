/** One of the two places that have roles: the platform and every tenant. */
export interface RoleArea {
  readonly auth: 'platform' | 'tenant'
  readonly path: string
  /** The resource of its permissions. */
  readonly resource: 'platform_role' | 'tenant_role'
  /** Scopes of the permissions its roles may hold. */
  readonly scopes: ReadonlySet<'ADMIN' | 'TENANT' | 'USER'>
}

/** The platform's roles. */
export const platformArea: RoleArea = {
  auth: 'platform',
  path: '/admin/roles',
  resource: 'platform_role',
  scopes: new Set(['ADMIN']),
}

/** A tenant's roles. */
export const tenantArea: RoleArea = {
  auth: 'tenant',
  path: '/tenant/roles',
  resource: 'tenant_role',
  scopes: new Set(['TENANT', 'USER']),
}
