import type { Knex } from 'knex'
import { RateLimitedError, type Scope } from '#kernel'
import type { SecondFactorMethod, SecondFactors } from '../contract.ts'
import type { SecondFactor } from './models.ts'
import { macRecoveryCode } from './recovery-codes.ts'
import type { SecondFactorStore } from './store.ts'
import { matchingStep } from './totp.ts'

// A code has a million values and three of them fit at any moment: with so few tries the first hit takes years.
const limits = [
  { name: 'quarter', tries: 20, seconds: 15 * 60 },
  { name: 'day', tries: 200, seconds: 24 * 3600 },
] as const

/** Checks second factors and uses their codes up. */
export class SecondFactorChecker implements SecondFactors {
  readonly #scope: Pick<Scope, 'limiter' | 'secrets'>
  readonly #store: SecondFactorStore
  readonly #key: Buffer

  constructor(scope: Pick<Scope, 'limiter' | 'secrets'>, store: SecondFactorStore) {
    this.#scope = scope
    this.#store = store
    this.#key = scope.secrets.derive('users.recovery_codes')
  }

  async methodsOf(tenantId: number, userId: number): Promise<readonly SecondFactorMethod[]> {
    const factor = await this.#store.find(tenantId, userId)
    if (!factor?.confirmedAt) return []
    return (await this.#store.hasRecoveryCodes(tenantId, userId)) ? ['totp', 'recovery_code'] : ['totp']
  }

  /** Whether the code is good, which it is no more afterwards; throws 429/4290 after too many tries for one user. */
  async verify(tenantId: number, userId: number, method: SecondFactorMethod, code: string): Promise<boolean> {
    await this.limit(tenantId, userId)
    const factor = await this.#store.find(tenantId, userId)
    if (!factor?.confirmedAt) return false
    return this.take(factor, method, code)
  }

  /** Counts a try, right or wrong; throws 429/4290 when there were too many. */
  async limit(tenantId: number, userId: number): Promise<void> {
    for (const { name, tries, seconds } of limits) {
      const key = `users:second_factor:${name}:${tenantId}:${userId}`
      const { allowed, resetSeconds } = await this.#scope.limiter.hit(key, tries, seconds)
      const wait = Math.max(1, Math.ceil(resetSeconds))
      if (!allowed) {
        throw new RateLimitedError({ headers: { 'retry-after': String(wait) }, details: { retry_after: wait } })
      }
    }
  }

  /** Uses a code of a factor up, whether the factor is confirmed or about to be. */
  async take(factor: SecondFactor, method: SecondFactorMethod, code: string, db?: Knex): Promise<boolean> {
    const { tenantId, userId } = factor
    if (method === 'recovery_code') return this.#store.takeRecoveryCode(tenantId, userId, this.mac(code), db)
    const step = /^\d{6}$/.test(code) ? matchingStep(this.#scope.secrets.open(factor.secret), code) : undefined
    return step !== undefined && this.#store.takeStep(tenantId, userId, step, db)
  }

  /** What of a recovery code is stored. */
  mac(code: string): string {
    return macRecoveryCode(this.#key, code)
  }
}
