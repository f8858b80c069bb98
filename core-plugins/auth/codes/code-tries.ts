import type { UserRecord } from '../../users/contract.ts'
import { CodeInvalidError } from '../errors.ts'
import type { Lockout } from '../sign-in/lockout.ts'
import { accountKey } from '../sign-in/account-key.ts'
import type { CodeBinding } from './code-binding.ts'
import type { FittingCode, OneTimeCodes } from './one-time-codes.ts'

/** Lets codes be tried: a wrong one counts against the account as a wrong password does. */
export class CodeTries {
  readonly #codes: OneTimeCodes
  readonly #lockout: Lockout

  constructor(codes: OneTimeCodes, lockout: Lockout) {
    this.#codes = codes
    this.#lockout = lockout
  }

  /** The code, when it is the user's; throws 400/4006 when it does not fit and 429/4292 after too many failures. */
  async demand(binding: CodeBinding, code: string, user: UserRecord | undefined, ip: string): Promise<FittingCode> {
    const attempt = { tenantId: binding.tenantId, account: accountKey(user, binding.address), ip }
    await this.#lockout.requireOpen(attempt)
    const fitting = await this.#codes.try(binding, code)
    if (fitting && fitting.userId === user?.id) return fitting
    await this.#lockout.recordFailure(attempt)
    throw new CodeInvalidError()
  }

  /** Uses a code up and ends the count of failures; false when it has been used meanwhile. */
  async use(code: FittingCode, ip: string): Promise<boolean> {
    if (!(await this.#codes.use(code))) return false
    await this.#lockout.clear({ tenantId: code.tenantId, account: `user:${code.userId}`, ip })
    return true
  }
}
