import { defineService } from './service.ts'

/** An organisation that the platform serves; its data is apart from every other's. */
export interface Tenant {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly status: 'active' | 'disabled' | 'expired'
}

/** Who calls: a user of the platform (tenantId 0) or of a tenant, with what the user may do. */
export interface Principal {
  readonly scope: 'platform' | 'tenant'
  readonly userId: number
  readonly tenantId: number
  readonly sessionId: string
  readonly roles: readonly string[]
  /** Every permission the user holds, wildcards included, sorted. */
  readonly permissions: readonly string[]
  /** Whether the user holds a permission, by name or by a wildcard. */
  can(permission: string): boolean
}

/** What a request brings to prove who calls. */
export interface Credential {
  readonly token: string
  readonly ip: string
}

/** Finds tenants; the tenants plugin answers. */
export interface TenantResolver {
  byId(id: number): Promise<Tenant | undefined>
  byHost(host: string): Promise<Tenant | undefined>
  byCode(code: string): Promise<Tenant | undefined>
}

/** Turns a credential into a principal; the auth plugin answers. Throws 4012, 4013, 4014 or 4019 for a bad one. */
export interface Authenticator {
  authenticate(credential: Credential): Promise<Principal | undefined>
}

/** The service that finds tenants. */
export const tenantResolver = defineService<TenantResolver>('kernel.tenant_resolver')
/** The service that tells who calls. */
export const authenticator = defineService<Authenticator>('kernel.authenticator')
