import { ReauthRequiredError } from './errors.ts'
import { defineService } from './service.ts'

/** How long a sign-in is fresh. */
const freshMilliseconds = 15 * 60_000

/** An organisation that the platform serves; its data is apart from every other's. */
export interface Tenant {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly status: 'active' | 'disabled' | 'expired'
  /**
   * Where its users open the platform, without a slash at the end: the primary verified domain, otherwise the subdomain,
   * otherwise PUBLIC_URL. Links in messages begin with it, never with a request's Host, which anybody can choose.
   */
  readonly baseUrl: string
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
  /** How the user proved who they are (RFC 8176), such as `pwd` and `otp`. */
  readonly methods?: readonly string[]
  /** When the user proved it; absent for callers that never sign in, such as API keys. */
  readonly authenticatedAt?: Date
  /** When what proved it ends; absent where it has no end of its own. */
  readonly expiresAt?: Date
  /** The administrator of the platform who acts in the user's place. */
  readonly actor?: { readonly userId: number; readonly tenantId: 0 }
  /** Whether the user holds a permission, by name or by a wildcard. */
  can(permission: string): boolean
}

/** What a user has to do before anything else: choose another password, or enrol a second factor. */
export type Restriction = 'password_change_required' | 'second_factor_required'

/** What a request brings to prove who calls, and what its route lets pass. */
export interface Credential {
  readonly token: string
  readonly ip: string
  /** Restrictions under which the caller may pass all the same; none unless said otherwise. */
  readonly whileRestricted?: readonly Restriction[] | undefined
  /** Whether an administrator who acts in the user's place is refused. */
  readonly inPerson?: boolean | undefined
}

/** Finds tenants; the tenants plugin answers. */
export interface TenantResolver {
  byId(id: number): Promise<Tenant | undefined>
  byHost(host: string): Promise<Tenant | undefined>
  byCode(code: string): Promise<Tenant | undefined>
  /** What `byId` answers, as far as this process knows it without asking anybody; undefined where that has to be looked up. */
  knownById(id: number): Tenant | undefined
  /** The same of a host, and `none` where it is known to be no tenant's. */
  knownByHost(host: string): Tenant | 'none' | undefined
}

/**
 * Turns a credential into a principal; the auth plugin answers. Throws 4012, 4013, 4014 or 4019 for a bad one, and 4030,
 * 4034, 4037 or 5031 for a caller who may not pass at the moment.
 */
export interface Authenticator {
  authenticate(credential: Credential): Promise<Principal | undefined>
}

/** The service that finds tenants. */
export const tenantResolver = defineService<TenantResolver>('kernel.tenant_resolver')
/** The service that tells who calls. */
export const authenticator = defineService<Authenticator>('kernel.authenticator')

/** Whether a caller proved who they are a moment ago, as what makes or breaks every later sign-in asks. */
export function isFreshlySignedIn({ authenticatedAt }: Pick<Principal, 'authenticatedAt'>): boolean {
  return authenticatedAt !== undefined && Date.now() - authenticatedAt.getTime() <= freshMilliseconds
}

/** Throws 401/4018 when the caller's sign-in is too long ago. */
export function requireFreshSignIn(principal: Pick<Principal, 'authenticatedAt'>): void {
  if (!isFreshlySignedIn(principal)) throw new ReauthRequiredError()
}
