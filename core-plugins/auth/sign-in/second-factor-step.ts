import { createOneTimeToken, hashOneTimeToken, type Cache, type RateLimiter } from '#kernel'
import type { SecondFactorMethod, SecondFactors, UserDirectory, UserRecord } from '../../users/contract.ts'
import type { AuthenticationMethods } from '../contract.ts'
import { FactorCodeInvalidError, MfaRequiredError } from '../errors.ts'
import type { Lockout } from './lockout.ts'

/** What the second step of a sign-in stands on. */
interface SecondFactorParts {
  readonly cache: Cache
  readonly limiter: RateLimiter
  readonly users: UserDirectory
  readonly secondFactors: SecondFactors
  readonly lockout: Lockout
}

/** A sign-in that waits for its second factor. */
interface PendingSignIn {
  readonly tenantId: number
  readonly userId: number
  readonly version: number
  readonly methods: AuthenticationMethods
}

/** What a caller brings for the second step. */
interface FactorProof {
  readonly token: string
  readonly method: SecondFactorMethod
  readonly code: string
  readonly ip: string
  /** Whose users the endpoint is for. */
  readonly scope: 'platform' | 'tenant'
}

/** Somebody who has proved twice who they are. */
interface TwiceProved {
  readonly user: UserRecord
  readonly methods: AuthenticationMethods
}

const pendingSeconds = 300
const triesPerToken = 5
// Codes of six digits that hold for a minute and a half: so many tries in all, from wherever, leave no hope.
const triesInAll = 100

/**
 * The second step of a sign-in. What waits for it is in the cache alone: where that is lost, somebody signs in again.
 */
export class SecondFactorStep {
  readonly #parts: SecondFactorParts

  constructor(parts: SecondFactorParts) {
    this.#parts = parts
  }

  /** Throws 401/4017 with a token for the second step when the user has a second factor. */
  async demand({ tenantId, id: userId, version }: UserRecord, methods: AuthenticationMethods): Promise<void> {
    const offered = await this.#parts.secondFactors.methodsOf(tenantId, userId)
    if (offered.length === 0) return
    const { token } = createOneTimeToken('mfa_')
    const pending: PendingSignIn = { tenantId, userId, version, methods }
    await this.#parts.cache.set(pendingKey(token), pending, pendingSeconds)
    throw new MfaRequiredError({ details: { mfa_token: token, methods: offered, expires_in: pendingSeconds } })
  }

  /**
   * Uses a token and a code up. Throws 400/4006 for a wrong code, a fifth-and-later try, and a token that is unknown, used,
   * old, or of credentials that changed; 429/4292 after too many wrong codes of one user.
   */
  async prove({ token, method, code, ip, scope }: FactorProof): Promise<TwiceProved> {
    const { cache, limiter, secondFactors, lockout } = this.#parts
    const key = pendingKey(token)
    const pending = await cache.get<PendingSignIn>(key)
    if (!pending || (pending.tenantId === 0) !== (scope === 'platform')) throw new FactorCodeInvalidError()
    const { tenantId, userId, methods } = pending
    // One count for each, so that tries at the same time are counted too.
    const { allowed } = await limiter.hit(`auth.${key}`, triesPerToken, pendingSeconds)
    if (!allowed) throw new FactorCodeInvalidError()
    const attempt = { tenantId, account: `factor:${userId}`, ip }
    await lockout.requireOpen(attempt, { atMost: triesInAll })
    const user = await this.#findUser(pending)
    if (!(await secondFactors.verify(tenantId, userId, method, code))) {
      await lockout.recordFailure(attempt)
      throw new FactorCodeInvalidError()
    }
    if ((await cache.take(key)) === undefined) throw new FactorCodeInvalidError()
    await lockout.clear(attempt)
    return { user, methods: [...methods, 'otp', 'mfa'] }
  }

  async #findUser({ tenantId, userId, version }: PendingSignIn): Promise<UserRecord> {
    const user = await this.#parts.users.find(tenantId, userId)
    if (user?.version !== version) throw new FactorCodeInvalidError()
    return user
  }
}

function pendingKey(token: string): string {
  return `mfa:${hashOneTimeToken(token)}`
}
