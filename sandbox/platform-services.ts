/** The tenant a call is for, as the guest sees it. */
export interface GuestTenant {
  readonly id: number
  readonly code: string
}

/** A message of a plugin to one user, checked for its form. */
export interface GuestMessage {
  readonly plugin: string
  /** Whose user it is; 0 = the platform's administrators. */
  readonly tenantId: number
  readonly userId: number
  readonly title: string
  readonly body: string
  readonly level: 'info' | 'success' | 'warning' | 'error'
  /** A page of the plugin's in the console, or null. */
  readonly link: string | null
}

/** What a plugin may know of a user: nothing by which somebody could be written to. */
export interface BasicUser {
  readonly id: number
  readonly nickname: string
  /** The name for signing in; null for users who have none but an address. */
  readonly account: string | null
  readonly status: 'active' | 'disabled' | 'pending_approval' | 'pending_verification'
  /** Empty without one. */
  readonly avatarUrl: string
}

/** Which users a plugin wants, in the order of their ids. */
export interface BasicUserQuery {
  /** Part of a nickname or account, in any case. */
  readonly q?: string | undefined
  readonly ids?: readonly number[] | undefined
  /** Only ids above this one. */
  readonly after?: number | undefined
  readonly limit: number
}

/** A plugin's call of an AI model, on the quota of the tenant. */
export interface GuestInvocation {
  readonly plugin: string
  /** Undefined = the platform. */
  readonly tenant: GuestTenant | undefined
  /** Undefined where no user led to the call. */
  readonly userId: number | undefined
  readonly request: Readonly<Record<string, unknown>>
  readonly traceId: string
  readonly signal: AbortSignal
}

/** How a plugin is licensed for a tenant. */
export interface GuestLicense {
  readonly state: 'none' | 'trial' | 'active' | 'grace' | 'expired' | 'revoked'
  readonly features: readonly string[]
  /** ISO 8601, or null where nothing ends. */
  readonly expiresAt: string | null
}

/** What guests may ask of the platform beside their own data. Tenant 0 is the platform. */
export interface PlatformServices {
  /** Answers the id of the notification; throws 404/4040 when the tenant has no such user. */
  readonly notify: (message: GuestMessage) => Promise<string>
  readonly users: {
    find(tenantId: number, id: number): Promise<BasicUser | undefined>
    list(tenantId: number, query: BasicUserQuery): Promise<readonly BasicUser[]>
  }
  /** Undefined while nothing answers for AI models. */
  readonly invokeAi: (invocation: GuestInvocation) => Promise<unknown> | undefined
  /** Asked on every call, so it answers from memory. */
  readonly license: (plugin: string, tenantId: number) => GuestLicense
}
