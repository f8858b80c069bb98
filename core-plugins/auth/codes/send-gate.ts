import type { CaptchaAction, CaptchaAnswer, CaptchaEndpoint, CaptchaGate } from '../../captcha/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import { AccountLockedError } from '../errors.ts'
import type { Lockout, Standing } from '../sign-in/lockout.ts'
import { accountKey } from '../sign-in/account-key.ts'
import type { SendLimits, SendTarget } from './send-limits.ts'

/** Who asks for a message, and what they bring along. */
export interface Sender {
  readonly ip: string
  readonly endpoint: CaptchaEndpoint
  readonly action: CaptchaAction
  readonly answer: CaptchaAnswer | undefined
}

/** Stands before everything that sends a message to somebody's address. */
export class SendGate {
  readonly #captcha: CaptchaGate
  readonly #limits: SendLimits
  readonly #lockout: Lockout

  constructor(captcha: CaptchaGate, limits: SendLimits, lockout: Lockout) {
    this.#captcha = captcha
    this.#limits = limits
    this.#lockout = lockout
  }

  /** Throws 400/4004 or 400/4005 without a good captcha where one is needed, and 429/4295 when it is too soon or too often. */
  async pass(target: SendTarget, user: UserRecord | undefined, sender: Sender): Promise<void> {
    const { tenantId, name } = target
    const { ip, endpoint, action, answer } = sender
    const { failures, isSpread } = await this.#standing({ tenantId, account: accountKey(user, name), ip })
    await this.#captcha.pass({ tenantId, endpoint, action, answer, failures, always: isSpread })
    await this.#limits.demand(target)
  }

  /** A locked account may still be sent a way back in, but only to people. */
  async #standing(attempt: Parameters<Lockout['requireOpen']>[0]): Promise<Standing> {
    try {
      return await this.#lockout.requireOpen(attempt)
    } catch (error) {
      if (error instanceof AccountLockedError) return { failures: 0, isSpread: true }
      throw error
    }
  }
}
