import { createHash } from 'node:crypto'
import type { RateLimiter } from '#kernel'
import { CodeSendLimitedError } from '../errors.ts'

/** Seconds until a code or link may be asked for again. */
export const resendSeconds = 60
const daySeconds = 86_400
const mostPerDay = 10

/** What is counted: somebody who is named, in whichever way, and what for. */
export interface SendTarget {
  readonly tenantId: number
  readonly name: string
  readonly purpose: string
}

/** Keeps people from being flooded with messages; names that nobody has count the same. */
export class SendLimits {
  readonly #limiter: RateLimiter

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  /** Counts a request for a message; throws 429/4295 when the last was a moment ago, or there were many today. */
  async demand(target: SendTarget): Promise<void> {
    const wait = await this.#hit('asked', target)
    if (wait === 0) return
    throw new CodeSendLimitedError({ details: { retry_after: wait }, headers: { 'retry-after': String(wait) } })
  }

  /**
   * Counts a message to an address. Somebody may be named in several ways, and a refusal would tell which of them are
   * the same person: so the message is left out and nobody is told.
   */
  async allows(target: SendTarget): Promise<boolean> {
    return (await this.#hit('sent', target)) === 0
  }

  /** Seconds to wait; 0 when it is allowed. */
  async #hit(what: string, { tenantId, name, purpose }: SendTarget): Promise<number> {
    const hash = createHash('sha256').update(name).digest('base64url')
    const key = `auth.code_${what}:${tenantId}:${hash}`
    const recent = await this.#limiter.hit(`${key}:${purpose}`, 1, resendSeconds)
    const today = recent.allowed ? await this.#limiter.hit(key, mostPerDay, daySeconds) : recent
    return today.allowed ? 0 : Math.max(1, Math.ceil(today.resetSeconds))
  }
}
