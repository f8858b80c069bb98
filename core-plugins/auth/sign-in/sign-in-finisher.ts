import type { Tenant } from '#kernel'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import { compileAddressList } from '../address-list.ts'
import type { AuthenticationMethods, IssuedTokens, SessionOrigin, Sessions } from '../contract.ts'
import { AccountInactiveError, InvalidCredentialsError, IpNotAllowedError } from '../errors.ts'
import type { SecondFactorStep } from './second-factor-step.ts'
import type { DeviceWatch } from './device-watch.ts'

/** Somebody who has signed in. */
export interface SignedIn {
  readonly user: UserRecord
  readonly tokens: IssuedTokens
  readonly tenant: Tenant | null
}

/** What the end of a sign-in stands on. */
interface FinisherParts {
  readonly users: UserDirectory
  readonly sessions: Sessions
  readonly secondFactor: SecondFactorStep
  readonly devices: DeviceWatch
}

/** The end of every sign-in, whichever way somebody has proved who they are. */
export class SignInFinisher {
  readonly #parts: FinisherParts

  constructor(parts: FinisherParts) {
    this.#parts = parts
  }

  /**
   * Begins a session of a user who has proved once who they are: 403/4034 for one who may not sign in, 403/4030 from an
   * address the user has not allowed, 401/4017 for one with a second factor, who goes on at `…/mfa/verify`.
   */
  async finish(
    user: UserRecord,
    tenant: Tenant | null,
    origin: SessionOrigin,
    methods: AuthenticationMethods,
  ): Promise<SignedIn> {
    this.requireAllowed(user, origin)
    await this.#parts.secondFactor.demand(user, methods)
    return this.complete(user, tenant, origin, methods)
  }

  /** Throws 403/4034 or 403/4030 for a user who may not sign in, or not from there. */
  requireAllowed(user: UserRecord, { ip }: SessionOrigin): void {
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
    const { allowedIps } = user.loginSecurity
    if (allowedIps.length > 0 && !compileAddressList(allowedIps)(ip)) throw new IpNotAllowedError()
  }

  /** Begins a session of a user who has nothing left to prove. */
  async complete(
    user: UserRecord,
    tenant: Tenant | null,
    origin: SessionOrigin,
    methods: AuthenticationMethods,
  ): Promise<SignedIn> {
    const { users, sessions, devices } = this.#parts
    await users.touchLogin(user.tenantId, user.id)
    const fresh = await users.find(user.tenantId, user.id)
    // Changed since they were compared, the old credentials must not begin a session of the new version.
    if (fresh?.version !== user.version) throw new InvalidCredentialsError()
    if (fresh.status !== 'active') throw new AccountInactiveError({ details: { status: fresh.status } })
    const tokens = await sessions.issue(fresh, origin, { methods })
    await devices.notice(fresh, tenant, origin)
    return { user: fresh, tokens, tenant }
  }
}
