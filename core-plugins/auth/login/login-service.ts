import { ipLimitKey, type RateLimiter, type Tenant } from '#kernel'
import type { CaptchaAnswer, CaptchaGate } from '../../captcha/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { AuthArea } from '../areas.ts'
import { accountKey } from '../sign-in/account-key.ts'
import type { SessionOrigin } from '../contract.ts'
import { InvalidCredentialsError, LoginRateLimitedError } from '../errors.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import type { Lockout } from '../sign-in/lockout.ts'
import type { SignedIn, SignInFinisher } from '../sign-in/sign-in-finisher.ts'

/** What sign-in stands on. */
interface LoginParts {
  readonly users: UserDirectory
  readonly door: FrontDoor
  readonly finisher: SignInFinisher
  readonly limiter: RateLimiter
  readonly lockout: Lockout
  readonly captcha: CaptchaGate
}

/** What somebody signs in with. */
interface LoginRequest {
  readonly area: Pick<AuthArea, 'scope' | 'endpoint'>
  readonly identifier: string
  readonly password: string
  readonly captcha: CaptchaAnswer | undefined
  /** The tenant named, which goes before the one whose host was called. */
  readonly tenantCode: string | undefined
  readonly host: Tenant | undefined
  readonly origin: SessionOrigin
}

const attemptsPerMinute = 10

/** Lets users in by password. */
export class LoginService {
  readonly #parts: LoginParts

  constructor(parts: LoginParts) {
    this.#parts = parts
  }

  /** The session of whoever brings the right password, or what is still to be proved as an error. */
  async signIn(request: LoginRequest): Promise<SignedIn> {
    const { door, finisher } = this.#parts
    const { area, tenantCode: code, host, origin } = request
    if (area.scope === 'platform') {
      await door.toPlatform(origin.ip)
      return finisher.finish(await this.#authenticate(0, request), null, origin, ['pwd'])
    }
    const tenant = await door.toTenant({ code, host, method: 'password' })
    return finisher.finish(await this.#authenticate(tenant.id, request), tenant, origin, ['pwd'])
  }

  /** Every way to fail costs the same, so that nobody learns from it which accounts there are. */
  async #authenticate(
    tenantId: number,
    { area: { endpoint }, identifier, password, captcha: answer, origin }: LoginRequest,
  ): Promise<UserRecord> {
    const { users, finisher, lockout, captcha } = this.#parts
    const candidate = await users.identify(tenantId, identifier)
    const { user } = candidate
    const account = accountKey(user, users.spell(identifier))
    const attempt = { tenantId, account, ip: origin.ip }
    await this.#countAttempt(tenantId, account, origin.ip)
    const { failures, isSpread } = await lockout.requireOpen(attempt)
    await captcha.pass({ tenantId, endpoint, action: 'login', failures, always: isSpread, answer })
    if (!(await candidate.fits(password)) || !user) {
      // Who registered with somebody's address learns no more here than who registered with a free one.
      if (user && (await candidate.isPretended(password))) {
        finisher.requireAllowed({ ...user, status: 'pending_verification' }, origin)
      }
      await lockout.recordFailure(attempt)
      throw new InvalidCredentialsError()
    }
    finisher.requireAllowed(user, origin)
    if (failures > 0) await lockout.clear(attempt)
    return user
  }

  async #countAttempt(tenantId: number, account: string, ip: string): Promise<void> {
    const key = `auth.login:${tenantId}:${ipLimitKey(ip)}:${account}`
    const { allowed, resetSeconds } = await this.#parts.limiter.hit(key, attemptsPerMinute, 60)
    if (allowed) return
    const left = Math.max(1, Math.ceil(resetSeconds))
    const headers = {
      'retry-after': String(left),
      'ratelimit-policy': `"login_account";q=${attemptsPerMinute};w=60`,
      ratelimit: `"login_account";r=0;t=${left}`,
    }
    throw new LoginRateLimitedError({ details: { retry_after: left }, headers })
  }
}
