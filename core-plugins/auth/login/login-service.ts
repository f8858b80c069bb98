import {
  TenantInactiveError,
  TenantNotRecognisedError,
  ipLimitKey,
  type RateLimiter,
  type Tenant,
  type TenantResolver,
} from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { IssuedTokens, SessionOrigin, Sessions } from '../contract.ts'
import { AccountInactiveError, InvalidCredentialsError, LoginMethodOffError, LoginRateLimitedError } from '../errors.ts'
import type { Lockout } from './lockout.ts'

/** What sign-in stands on. */
export interface LoginParts {
  readonly users: UserDirectory
  readonly sessions: Sessions
  readonly tenants: TenantResolver
  readonly config: ConfigReader
  readonly limiter: RateLimiter
  readonly lockout: Lockout
}

/** What somebody signs in with. */
export interface Credentials {
  readonly identifier: string
  readonly password: string
}

/** Somebody who has signed in. */
export interface SignedIn {
  readonly user: UserRecord
  readonly tokens: IssuedTokens
  readonly tenant: Tenant | null
}

const attemptsPerMinute = 10

/** Lets users in by password. */
export class LoginService {
  readonly #parts: LoginParts

  constructor(parts: LoginParts) {
    this.#parts = parts
  }

  async toPlatform(credentials: Credentials, origin: SessionOrigin): Promise<SignedIn> {
    return { ...(await this.#signIn(0, credentials, origin)), tenant: null }
  }

  /** The tenant is the one named, or else the one whose host was called. */
  async toTenant(
    code: string | undefined,
    host: Tenant | undefined,
    credentials: Credentials,
    origin: SessionOrigin,
  ): Promise<SignedIn> {
    const tenant = code ? await this.#parts.tenants.byCode(code) : host
    if (!tenant) throw new TenantNotRecognisedError()
    if (tenant.status !== 'active') throw new TenantInactiveError({ details: { status: tenant.status } })
    const methods = await this.#parts.config.get<readonly string[]>('login_methods', tenant.id, ['password'])
    if (!methods.includes('password')) throw new LoginMethodOffError({ details: { methods } })
    return { ...(await this.#signIn(tenant.id, credentials, origin)), tenant }
  }

  /** Every way to fail costs the same, so that nobody learns from it which accounts there are. */
  async #signIn(
    tenantId: number,
    { identifier, password }: Credentials,
    origin: SessionOrigin,
  ): Promise<{ user: UserRecord; tokens: IssuedTokens }> {
    const { users, sessions, lockout } = this.#parts
    const known = await users.findByIdentifier(tenantId, identifier)
    const account = known ? `user:${known.id}` : `name:${identifier.trim().toLowerCase()}`
    const attempt = { tenantId, account, ip: origin.ip }
    await this.#countAttempt(tenantId, account, origin.ip)
    await lockout.requireOpen(attempt)
    const user = await users.verifyPassword(tenantId, identifier, password)
    if (!user) {
      await lockout.recordFailure(attempt)
      throw new InvalidCredentialsError()
    }
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
    await lockout.clear(attempt)
    await users.touchLogin(tenantId, user.id)
    const fresh = await users.find(tenantId, user.id)
    // Changed since it was compared, the old password must not begin a session of the new version.
    if (fresh?.version !== user.version) throw new InvalidCredentialsError()
    return { user: fresh, tokens: await sessions.issue(fresh, origin) }
  }

  async #countAttempt(tenantId: number, account: string, ip: string): Promise<void> {
    const key = `auth.login:${tenantId}:${ipLimitKey(ip)}:${account}`
    const { allowed, resetSeconds } = await this.#parts.limiter.hit(key, attemptsPerMinute, 60)
    if (allowed) return
    const left = Math.max(1, Math.ceil(resetSeconds))
    throw new LoginRateLimitedError({ details: { retry_after: left }, headers: { 'retry-after': String(left) } })
  }
}
